import Dispatch
import Foundation
import Synchronization

/// The owner of a socket: it reports incoming data and closes the socket.
final class SocketReader: Sendable {
    private struct State {
        var isClosed = false
        var isPaused = false
    }

    private let socket: TCPSocket
    // A dispatch object may be used from any thread; only its type does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let state = Mutex(State())

    /// Creates a reader.
    ///
    /// - Parameter read: A closure that runs on its own queue when data arrives; `false` ends the calls.
    init(_ socket: TCPSocket, read: @escaping @Sendable (TCPSocket) -> Bool) {
        self.socket = socket
        source = DispatchSource.makeReadSource(
            fileDescriptor: socket.descriptor, queue: DispatchQueue(label: "org.mdhost.testing.peer"))
        source.setEventHandler { [weak self] in
            // Level-triggered: at the end it would be called again and again.
            if !read(socket) { self?.pause() }
        }
        // Only after the last use of the descriptor, whose number may be another's next.
        source.setCancelHandler { Glibc.close(socket.descriptor) }
        source.activate()
    }

    deinit { close() }

    /// Writes bytes. The descriptor stays open until the call returns.
    func write(_ bytes: Data) throws(ScriptedPeerError) {
        let failure = state.withLock { state -> ScriptedPeerError? in
            guard !state.isClosed else {
                return .socketFailed("send", reason: "the peer has closed the connection")
            }
            do throws(ScriptedPeerError) { try socket.write(bytes) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    func reset() {
        state.withLock { if !$0.isClosed { socket.discardsOnClose() } }
        close()
    }

    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            source.cancel()
            // A source that is paused is never done.
            if state.isPaused { source.resume() }
        }
    }

    private func pause() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isPaused = true
            source.suspend()
        }
    }
}

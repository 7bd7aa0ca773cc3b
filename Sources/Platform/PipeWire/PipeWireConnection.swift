import CPipeWire
import Glibc
package import SoundFeed

/// A connection to PipeWire and its sinks, which are nodes in PipeWire's graph. Each sink drives the programs that play
/// to it at playback speed and receives all their samples.
///
/// The library runs on a thread of its own; code that uses it holds that thread's lock.
///
/// Source: PipeWire 0.3.65, `pipewire/stream.h`, `pipewire/thread-loop.h`.
package final class PipeWireConnection: SoundServerConnection, @unchecked Sendable {
    /// The time the server has to answer, in seconds.
    private static let patience: Int32 = 5

    package let serverName = "PipeWire"
    package let events: AsyncStream<ServedSinkEvent>
    private let eventsContinuation: AsyncStream<ServedSinkEvent>.Continuation
    /// Ended by the library's thread; the connection may be gone by then.
    private let lost: Unmanaged<LostServer>
    private let connection: OpaquePointer
    private let silence: Double
    // With the lock.
    private var sinks: [String: PipeWireSink] = [:]
    private var isClosed = false

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - socket: Its socket's path; `nil` for the server of the environment.
    ///   - silence: Seconds of silence after which a sink's audio ends.
    /// - Throws: ``SoundServerError`` if no server answers, or its library is missing.
    package init(socket: String? = nil, silence: Double = SoundFeed.patience) throws(SoundServerError) {
        if let reason = mdhost_pw_load() {
            throw SoundServerError(library: "libpipewire-0.3-0", of: serverName, reason: String(cString: reason))
        }
        self.silence = silence
        (events, eventsContinuation) = AsyncStream.makeStream()
        lost = .passRetained(LostServer(events: eventsContinuation))
        let opened = mdhost_pw_open(
            socket, Self.patience,
            { data in
                Unmanaged<LostServer>.fromOpaque(data).takeUnretainedValue().events.finish()
            }, lost.toOpaque())
        guard let opened else {
            lost.release()
            throw SoundServerError("PipeWire does not answer: \(Self.text(errno))")
        }
        connection = opened
    }

    deinit {
        end()
        mdhost_pw_close(connection)
        lost.release()
    }

    package func show(_ sink: ServedSink) throws(SoundServerError) {
        mdhost_pw_lock(connection)
        defer { mdhost_pw_unlock(connection) }
        guard !isClosed else { throw SoundServerError("The connection to PipeWire is closed") }
        if let shown = sinks[sink.id], shown.take(sink) { return }
        sinks.removeValue(forKey: sink.id)?.destroy()
        sinks[sink.id] = try PipeWireSink(sink, on: connection, silence: silence) { [eventsContinuation] event in
            eventsContinuation.yield(event)
        }
    }

    package func remove(_ id: String) {
        mdhost_pw_lock(connection)
        sinks.removeValue(forKey: id)?.destroy()
        mdhost_pw_unlock(connection)
    }

    package func open(_ id: String) throws(SoundServerError) -> Int32 {
        mdhost_pw_lock(connection)
        defer { mdhost_pw_unlock(connection) }
        guard let sink = sinks[id] else { throw .noSink }
        return try sink.open()
    }

    package func progress(of id: String) -> SampleProgress? {
        mdhost_pw_lock(connection)
        defer { mdhost_pw_unlock(connection) }
        return sinks[id]?.progress
    }

    package func shut(_ id: String) {
        mdhost_pw_lock(connection)
        sinks[id]?.shut()
        mdhost_pw_unlock(connection)
    }

    package func close() { end() }

    private func end() {
        mdhost_pw_lock(connection)
        isClosed = true
        for sink in sinks.values { sink.destroy() }
        sinks = [:]
        mdhost_pw_unlock(connection)
        eventsContinuation.finish()
    }

    static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}

/// The context of the library's thread for the loss of the server.
private final class LostServer: Sendable {
    let events: AsyncStream<ServedSinkEvent>.Continuation

    init(events: AsyncStream<ServedSinkEvent>.Continuation) { self.events = events }
}

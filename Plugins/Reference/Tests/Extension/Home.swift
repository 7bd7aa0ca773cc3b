import Foundation
import MediaDeviceTesting
import ReferenceProtocol
import Synchronization
import Testing

@testable import ReferenceReceiver

/// Runs receivers on loopback for tests, and reads their screens.
@MainActor
struct Home {
    /// A receiver that runs.
    final class Receiver: Sendable {
        let receiver: ReferenceReceiver
        let place: ReferenceReceiver.Place
        private let samplePort: Int
        private let running: Task<Void, any Error>
        fileprivate let screen: Screen

        fileprivate init(
            _ receiver: ReferenceReceiver, _ place: ReferenceReceiver.Place, samplePort: Int,
            running: Task<Void, any Error>, screen: Screen
        ) {
            self.receiver = receiver
            self.place = place
            self.samplePort = samplePort
            self.running = running
            self.screen = screen
        }

        /// Its plug is pulled.
        func switchOff() { running.cancel() }

        func sample(_ name: String) throws -> URL {
            try #require(URL(string: "http://127.0.0.1:\(samplePort)/\(name)"))
        }

        /// All its screen has shown.
        var shown: [ReceiverNotice] { screen.notices }

        /// Waits until the screen showed it.
        func sees(_ fits: @escaping @Sendable (ReceiverNotice) -> Bool) async throws {
            for await notices in screen.changes where notices.contains(where: fits) { return }
            try Task.checkCancellation()
        }

        func shownCode() async throws -> String {
            try await sees { if case .code = $0 { true } else { false } }
            let codes = screen.notices.compactMap { if case .code(let code) = $0 { code } else { nil } }
            return try #require(codes.last)
        }
    }

    /// The notices a receiver has shown so far.
    fileprivate final class Screen: Sendable {
        private let state = Mutex<(notices: [ReceiverNotice], watchers: [AsyncStream<[ReceiverNotice]>.Continuation])>(
            ([], []))

        var notices: [ReceiverNotice] { state.withLock { $0.notices } }

        /// All of it, now and whenever something is added.
        var changes: AsyncStream<[ReceiverNotice]> {
            let (stream, continuation) = AsyncStream.makeStream(of: [ReceiverNotice].self)
            state.withLock {
                continuation.yield($0.notices)
                $0.watchers.append(continuation)
            }
            return stream
        }

        func show(_ notice: ReceiverNotice) {
            state.withLock { state in
                state.notices.append(notice)
                for watcher in state.watchers { watcher.yield(state.notices) }
            }
        }
    }

    func withReceiver(
        _ change: (inout ReceiverSettings) -> Void,
        clock: @escaping @Sendable () -> Double = { ReferenceReceiver.hostTime },
        _ body: (Receiver) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reference-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = ReceiverSettings(name: "TV", memoryFile: folder.path + "/tv.json")
        change(&settings)
        let screen = Screen()
        let receiver = ReferenceReceiver(settings, clock: clock) { screen.show($0) }
        let (places, placeFeed) = AsyncStream.makeStream(of: ReferenceReceiver.Place.self)
        let (ports, portFeed) = AsyncStream.makeStream(of: Int.self)
        let running = Task { try await receiver.run { placeFeed.yield($0) } }
        let serving = Task { try await SampleServer(address: "127.0.0.1").run { portFeed.yield($0) } }
        var place: ReferenceReceiver.Place?
        for await listening in places {
            place = listening
            break
        }
        var port: Int?
        for await listening in ports {
            port = listening
            break
        }
        let result: Result<Void, any Error>
        do {
            try await body(
                Receiver(receiver, #require(place), samplePort: #require(port), running: running, screen: screen))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        running.cancel()
        serving.cancel()
        _ = await (running.result, serving.result)
        try result.get()
    }
}

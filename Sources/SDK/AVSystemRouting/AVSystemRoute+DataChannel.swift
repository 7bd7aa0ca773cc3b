import Foundation
import Synchronization

/// Receives the messages of a data channel.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public protocol AVSystemRouteDataDelegate: AnyObject {
    /// Processes one message; messages of one channel come one after the other. Throwing reports that it failed.
    func receive(_ data: Data) async throws
}

extension AVSystemRoute {
    /// Messages to and from the other end: the extension (of a route) or the remote application (of a session).
    ///
    /// Source: AVSystemRouting, iOS 27 SDK.
    public final class DataChannel: Sendable {
        private final class WeakDelegate: @unchecked Sendable {
            // Only the channel's lock reaches it, and a weak reference is loaded atomically.
            weak var value: (any AVSystemRouteDataDelegate)?
        }

        /// Object path of the device or session.
        let path: String
        let interface: String
        private let service: RoutingService
        private let delegate = Mutex(WeakDelegate())
        private let inbox: AsyncStream<Data>.Continuation

        init(path: String, interface: String, service: RoutingService) {
            self.path = path
            self.interface = interface
            self.service = service
            // Unbounded: a delegate that is slow for long is the app's own memory.
            let (messages, inbox) = AsyncStream.makeStream(of: Data.self)
            self.inbox = inbox
            Task { [weak self] in
                for await message in messages { await self?.hand(message) }
            }
        }

        deinit { inbox.finish() }

        /// Sends a message; returns when the extension took it.
        ///
        /// Concurrent sends are allowed, and their order among each other is not promised.
        /// - Throws: ``AVSystemRoutingError`` where the route or session is over.
        public func send(_ data: Data) async throws {
            try await service.send(data, to: self)
        }

        /// Receives the other end's messages; held weakly. Messages that come while it is `nil` are dropped.
        public weak var dataDelegate: (any AVSystemRouteDataDelegate)? {
            get { delegate.withLock { $0.value } }
            set { delegate.withLock { $0.value = newValue } }
        }

        /// Hands the message to the delegate once it took those before.
        func deliver(_ message: Data) { inbox.yield(message) }

        /// The link has no way to tell the other end that a delegate failed: who looks for the reason finds it in the app's
        /// own output.
        private func hand(_ message: Data) async {
            do {
                try await dataDelegate?.receive(message)
            } catch {
                let line = "AVSystemRouting: a message of \(message.count) bytes was not processed: \(error)\n"
                FileHandle.standardError.write(Data(line.utf8))
            }
        }
    }
}

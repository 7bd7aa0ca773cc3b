public import Foundation
import Synchronization

/// Receives the messages of a data channel.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public protocol AVSystemRouteDataDelegate: AnyObject {
    /// Processes one message; messages of one channel come one after the other.
    ///
    /// A thrown error is shown to the person who picked the device: by `mdhost route` while the app handles the route,
    /// and by `mdhost status` afterwards.
    func receive(_ data: Data) async throws
}

extension AVSystemRoute {
    /// A channel for messages between the app and the other end: the extension (for a route) or the remote application
    /// (for a session).
    ///
    /// Source: AVSystemRouting, iOS 27 SDK.
    public final class DataChannel: Sendable {
        private final class WeakDelegate: @unchecked Sendable {
            // Only the channel's lock reaches it, and a weak reference is loaded atomically.
            weak var value: (any AVSystemRouteDataDelegate)?
        }

        /// The object path of the device or session.
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

        /// Sends a message and returns when the extension has accepted it.
        ///
        /// Concurrent sends are allowed; their relative order isn't guaranteed. Await each send to keep an order.
        /// - Throws: ``AVSystemRoutingError`` if the route or session has ended or the daemon isn't reachable.
        public func send(_ data: Data) async throws {
            try await service.send(data, to: self)
        }

        /// The delegate that receives messages from the other end, held weakly. Messages that arrive while it is `nil`
        /// are dropped.
        public weak var dataDelegate: (any AVSystemRouteDataDelegate)? {
            get { delegate.withLock { $0.value } }
            set { delegate.withLock { $0.value = newValue } }
        }

        /// Queues a message for the delegate, after those already queued.
        func deliver(_ message: Data) { inbox.yield(message) }

        private func hand(_ message: Data) async {
            do {
                try await dataDelegate?.receive(message)
            } catch {
                let problem = "a message of \(message.count) bytes was not processed: \(error.localizedDescription)"
                service.report(problem, about: path)
            }
        }
    }
}

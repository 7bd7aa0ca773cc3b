public import Foundation
import HostClient
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
        private struct Received: Sendable {
            let message: Data
            let done: @Sendable () -> Void
        }

        private final class WeakDelegate: @unchecked Sendable {
            // Only the channel's lock reaches it, and a weak reference is loaded atomically.
            weak var value: (any AVSystemRouteDataDelegate)?
        }

        /// The object path of the device or session.
        let path: String
        let interface: String
        private let service: RoutingService
        private let delegate = Mutex(WeakDelegate())
        private let opened = Mutex<DataChannelConnection?>(nil)
        /// The attempt to open ``connection``.
        let opening = SharedAttempt<DataChannelConnection>()
        private let inbox: AsyncStream<Received>.Continuation

        init(path: String, interface: String, service: RoutingService) {
            self.path = path
            self.interface = interface
            self.service = service
            // Bounded by the window of the connection, and by the daemon's bounds for an extension's messages.
            let (messages, inbox) = AsyncStream.makeStream(of: Received.self)
            self.inbox = inbox
            Task { [weak self] in
                for await message in messages { await self?.hand(message) }
            }
        }

        deinit { inbox.finish() }

        /// The connection to the extension's process; `nil` before the first message, and after it ended.
        var connection: DataChannelConnection? {
            get { opened.withLock { $0?.isOver == false ? $0 : nil } }
            set { opened.withLock { $0 = newValue } }
        }

        /// Sends a message, at most 32 MiB, and returns when the extension has accepted it.
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
        ///
        /// - Parameter done: Called when the delegate has processed it.
        func deliver(_ message: Data, done: @escaping @Sendable () -> Void = {}) {
            inbox.yield(Received(message: message, done: done))
        }

        private func hand(_ received: Received) async {
            defer { received.done() }
            let message = received.message
            do {
                try await dataDelegate?.receive(message)
            } catch {
                let problem = "a message of \(message.count) bytes was not processed: \(error.localizedDescription)"
                service.report(problem, about: path)
            }
        }
    }
}

import CoreBluetooth
package import HostInterface
import LinkProtocol

/// The host's radio, used over the link.
package final class LinkCentralSource: BluetoothSource {
    private let outbox: HostOutbox
    private let managers = LinkStreams<CentralEvent>()

    package init(outbox: HostOutbox) { self.outbox = outbox }

    /// Opens a central manager. It ends with the iteration, with the requests, or with the link.
    package func open(_ requests: AsyncStream<CentralRequest>) -> AsyncStream<CentralEvent> {
        let (events, continuation) = AsyncStream.makeStream(of: CentralEvent.self)
        let manager = managers.open(continuation) { outbox.post(.central(manager: $0, request: CentralRequest(.open))) }
        guard let manager else {
            continuation.finish()
            return events
        }
        let forwarding = Task { [weak self, outbox] in
            for await request in requests { outbox.post(.central(manager: manager, request: request)) }
            self?.close(manager)
        }
        continuation.onTermination = { _ in forwarding.cancel() }
        return events
    }

    /// Passes events to their manager; no effect if it was closed.
    func deliver(_ events: [CentralEvent], to manager: UInt32) { managers.deliver(events, to: manager) }

    /// Ends the events of all managers, because the link has closed.
    package func close() { managers.close() }

    private func close(_ manager: UInt32) {
        guard let continuation = managers.remove(manager) else { return }
        outbox.post(.central(manager: manager, request: CentralRequest(.close)))
        continuation.finish()
    }
}

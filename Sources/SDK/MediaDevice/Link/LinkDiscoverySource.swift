package import DeviceDiscovery
package import HostInterface
import LinkProtocol

/// The host's shared browsers, announcements and Bluetooth, used over the link.
package final class LinkDiscoverySource: DiscoverySource {
    private let outbox: HostOutbox
    private let browsers = LinkStreams<BrowseEvent>()
    private let announcements = LinkStreams<AnnounceEvent>()
    private let orders = LinkStreams<BluetoothAnswer>()

    package init(outbox: HostOutbox) { self.outbox = outbox }

    /// Starts a browse. Ending the iteration cancels it. The stream finishes after ``BrowseEvent/Kind/failed`` and with
    /// the link.
    package func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> {
        let (events, continuation) = AsyncStream.makeStream(of: BrowseEvent.self)
        let browser = browsers.open(continuation) { outbox.post(.browse(browser: $0, request: request)) }
        guard let browser else {
            continuation.yield(BrowseEvent(.failed, message: "The link to the host is closed."))
            continuation.finish()
            return events
        }
        continuation.onTermination = { [weak self] _ in self?.cancelBrowse(browser) }
        return events
    }

    /// Passes events to their browser; no effect if it was cancelled.
    func deliver(_ events: [BrowseEvent], to browser: UInt32) {
        browsers.deliver(events, to: browser, isOver: events.contains { $0.kind == .failed })
    }

    /// Announces a service. Ending the iteration withdraws it. The stream finishes after ``AnnounceEvent/Kind/failed``
    /// and with the link.
    package func announce(_ request: AnnounceRequest) -> AsyncStream<AnnounceEvent> {
        let (events, continuation) = AsyncStream.makeStream(of: AnnounceEvent.self)
        let number = announcements.open(continuation) { outbox.post(.announce(announcement: $0, request: request)) }
        guard let number else {
            continuation.yield(AnnounceEvent(kind: .failed, message: "The link to the host is closed."))
            continuation.finish()
            return events
        }
        continuation.onTermination = { [weak self] _ in self?.cancelAnnouncement(number) }
        return events
    }

    /// Passes events to their announcement; no effect if it was withdrawn.
    func deliver(_ events: [AnnounceEvent], to announcement: UInt32) {
        announcements.deliver(events, to: announcement, isOver: events.contains { $0.kind == .failed })
    }

    package func order(_ order: BluetoothOrder) -> BluetoothExchange {
        let (answers, continuation) = AsyncStream.makeStream(of: BluetoothAnswer.self)
        let number = orders.open(continuation) { outbox.post(.bluetooth(request: $0, order: order)) }
        guard let number else {
            continuation.yield(.failed("host-unavailable", "The link to the host is closed."))
            continuation.finish()
            return BluetoothExchange(answers: answers) { _ in }
        }
        continuation.onTermination = { [weak self] _ in self?.cancelOrder(number) }
        return BluetoothExchange(answers: answers) { [outbox] reply in
            outbox.post(.bluetooth(request: number, order: reply))
        }
    }

    /// Passes answers to their order; no effect if it was cancelled.
    func deliver(_ answers: [BluetoothAnswer], to order: UInt32) {
        orders.deliver(answers, to: order, isOver: answers.contains { $0.isLast })
    }

    /// Ends all browses, announcements and orders, because the link has closed.
    package func close() {
        browsers.close()
        announcements.close()
        orders.close()
    }

    private func cancelBrowse(_ browser: UInt32) {
        if browsers.remove(browser) != nil { outbox.post(.cancelBrowse(browser: browser)) }
    }

    private func cancelAnnouncement(_ number: UInt32) {
        if announcements.remove(number) != nil { outbox.post(.cancelAnnouncement(announcement: number)) }
    }

    private func cancelOrder(_ number: UInt32) {
        if orders.remove(number) != nil { outbox.post(.bluetooth(request: number, order: BluetoothOrder(.cancel))) }
    }
}

import DBus
import DeviceDiscovery
import HostInterface

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
        let browser = browsers.open(continuation) { outbox.post(.browse(browser: $0, request)) }
        guard let browser else {
            continuation.yield(BrowseEvent(.failed, message: "The link to the host is closed."))
            continuation.finish()
            return events
        }
        continuation.onTermination = { [weak self] _ in self?.cancelBrowse(browser) }
        return events
    }

    /// Passes a `BrowserEvents` call to its browser; no error if it was cancelled.
    ///
    /// - Throws: ``DBusError`` `invalidArguments`.
    package func deliver(_ arguments: [DBusValue]) throws(DBusError) {
        var reader = ArgumentReader(arguments)
        let browser = UInt32(truncatingIfNeeded: try reader.integer("browser"))
        let events = try reader.dictionaries(BrowseEvent.self)
        browsers.deliver(events, to: browser, isOver: events.contains { $0.kind == .failed })
    }

    /// Announces a service. Ending the iteration withdraws it. The stream finishes after ``AnnounceEvent/Kind/failed``
    /// and with the link.
    package func announce(_ request: AnnounceRequest) -> AsyncStream<AnnounceEvent> {
        let (events, continuation) = AsyncStream.makeStream(of: AnnounceEvent.self)
        let number = announcements.open(continuation) { outbox.post(.announce(announcement: $0, request)) }
        guard let number else {
            continuation.yield(AnnounceEvent(kind: .failed, message: "The link to the host is closed."))
            continuation.finish()
            return events
        }
        continuation.onTermination = { [weak self] _ in self?.cancelAnnouncement(number) }
        return events
    }

    /// Passes an `AnnouncementEvents` call to its announcement; no error if it was withdrawn.
    ///
    /// - Throws: ``DBusError`` `invalidArguments`.
    package func deliverAnnouncement(_ arguments: [DBusValue]) throws(DBusError) {
        var reader = ArgumentReader(arguments)
        let number = UInt32(truncatingIfNeeded: try reader.integer("announcement"))
        let events = try reader.dictionaries(AnnounceEvent.self)
        announcements.deliver(events, to: number, isOver: events.contains { $0.kind == .failed })
    }

    package func order(_ order: BluetoothOrder) -> BluetoothExchange {
        let (answers, continuation) = AsyncStream.makeStream(of: BluetoothAnswer.self)
        let number = orders.open(continuation) { outbox.post(.bluetooth(request: $0, order)) }
        guard let number else {
            continuation.yield(.failed("host-unavailable", "The link to the host is closed."))
            continuation.finish()
            return BluetoothExchange(answers: answers) { _ in }
        }
        continuation.onTermination = { [weak self] _ in self?.cancelOrder(number) }
        return BluetoothExchange(answers: answers) { [outbox] reply in
            outbox.post(.bluetooth(request: number, reply))
        }
    }

    /// Passes a `BluetoothAnswers` call to its order; no error if it was cancelled.
    ///
    /// - Throws: ``DBusError`` `invalidArguments`.
    package func deliverBluetooth(_ arguments: [DBusValue]) throws(DBusError) {
        var reader = ArgumentReader(arguments)
        let number = UInt32(truncatingIfNeeded: try reader.integer("request"))
        let answers = try reader.dictionaries(BluetoothAnswer.self)
        orders.deliver(answers, to: number, isOver: answers.contains { $0.isLast })
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
        if orders.remove(number) != nil { outbox.post(.bluetooth(request: number, BluetoothOrder(.cancel))) }
    }
}

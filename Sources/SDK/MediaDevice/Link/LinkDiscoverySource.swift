import DBus
import DeviceDiscovery
import HostInterface
import Synchronization

/// Browses with the host's shared browsers, over the link.
package final class LinkDiscoverySource: DiscoverySource {
    fileprivate struct State {
        var lastBrowser: UInt32 = 0
        var browsers: [UInt32: AsyncStream<BrowseEvent>.Continuation] = [:]
        var lastOrder: UInt32 = 0
        var orders: [UInt32: AsyncStream<BluetoothAnswer>.Continuation] = [:]
        var isClosed = false
    }

    fileprivate let outbox: HostOutbox
    fileprivate let state = Mutex(State())

    package init(outbox: HostOutbox) { self.outbox = outbox }

    /// Starts a browse; ending the iteration cancels it. Ends by itself after ``BrowseEvent/Kind/failed``, and with
    /// the link.
    package func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> {
        let (events, continuation) = AsyncStream.makeStream(of: BrowseEvent.self)
        let browser: UInt32? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastBrowser += 1
            state.browsers[state.lastBrowser] = continuation
            // Posted under the lock, so that numbers rise on the wire too.
            outbox.post(.browse(browser: state.lastBrowser, request))
            return state.lastBrowser
        }
        guard let browser else {
            continuation.yield(BrowseEvent(.failed, message: "The link to the host is closed."))
            continuation.finish()
            return events
        }
        continuation.onTermination = { [weak self] _ in self?.cancel(browser) }
        return events
    }

    /// Hands a call of `BrowserEvents` to its browser; one that was cancelled meanwhile is no error.
    ///
    /// - Throws: ``DBusError`` `invalidArguments`.
    package func deliver(_ arguments: [DBusValue]) throws(DBusError) {
        var reader = ArgumentReader(arguments)
        let browser = UInt32(truncatingIfNeeded: try reader.integer("browser"))
        let events = try reader.dictionaries(BrowseEvent.self)
        let isOver = events.contains { $0.kind == .failed }
        let continuation = state.withLock { state in
            isOver ? state.browsers.removeValue(forKey: browser) : state.browsers[browser]
        }
        for event in events { continuation?.yield(event) }
        if isOver { continuation?.finish() }
    }

    /// The link is closed: every browse ends.
    package func close() {
        let (browsers, orders) = state.withLock { state in
            state.isClosed = true
            defer { (state.browsers, state.orders) = ([:], [:]) }
            return (state.browsers, state.orders)
        }
        for continuation in browsers.values { continuation.finish() }
        for continuation in orders.values { continuation.finish() }
    }

    private func cancel(_ browser: UInt32) {
        let wasRunning = state.withLock { $0.browsers.removeValue(forKey: browser) != nil }
        if wasRunning { outbox.post(.cancelBrowse(browser: browser)) }
    }
}

// MARK: Bluetooth

extension LinkDiscoverySource {
    package func order(_ order: BluetoothOrder) -> BluetoothExchange {
        let (answers, continuation) = AsyncStream.makeStream(of: BluetoothAnswer.self)
        let number: UInt32? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastOrder += 1
            state.orders[state.lastOrder] = continuation
            outbox.post(.bluetooth(request: state.lastOrder, order))
            return state.lastOrder
        }
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

    /// Hands a call of `BluetoothAnswers` to who ordered; one that was cancelled meanwhile is no error.
    ///
    /// - Throws: ``DBusError`` `invalidArguments`.
    package func deliverBluetooth(_ arguments: [DBusValue]) throws(DBusError) {
        var reader = ArgumentReader(arguments)
        let number = UInt32(truncatingIfNeeded: try reader.integer("request"))
        let answers = try reader.dictionaries(BluetoothAnswer.self)
        let isOver = answers.contains { $0.isLast }
        let continuation = state.withLock { state in
            isOver ? state.orders.removeValue(forKey: number) : state.orders[number]
        }
        for answer in answers { continuation?.yield(answer) }
        if isOver { continuation?.finish() }
    }

    private func cancelOrder(_ number: UInt32) {
        let wasRunning = state.withLock { $0.orders.removeValue(forKey: number) != nil }
        if wasRunning { outbox.post(.bluetooth(request: number, BluetoothOrder(.cancel))) }
    }
}

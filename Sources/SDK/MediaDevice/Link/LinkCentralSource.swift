import CoreBluetooth
import DBus
import HostInterface
import Synchronization

/// Uses the host's radio over the link.
package final class LinkCentralSource: BluetoothSource {
    private struct State {
        var lastManager: UInt32 = 0
        var managers: [UInt32: AsyncStream<CentralEvent>.Continuation] = [:]
        var isClosed = false
    }

    private let outbox: HostOutbox
    private let state = Mutex(State())

    package init(outbox: HostOutbox) { self.outbox = outbox }

    /// Ends with the iteration, with the requests, and with the link.
    package func open(_ requests: AsyncStream<CentralRequest>) -> AsyncStream<CentralEvent> {
        let (events, continuation) = AsyncStream.makeStream(of: CentralEvent.self)
        let manager: UInt32? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastManager += 1
            state.managers[state.lastManager] = continuation
            return state.lastManager
        }
        guard let manager else {
            continuation.finish()
            return events
        }
        outbox.post(.central(manager: manager, CentralRequest(.open)))
        let forwarding = Task { [weak self, outbox] in
            for await request in requests { outbox.post(.central(manager: manager, request)) }
            self?.close(manager)
        }
        continuation.onTermination = { _ in forwarding.cancel() }
        return events
    }

    /// Hands a call of `CentralEvents` to its manager; one that is gone meanwhile is no error.
    ///
    /// - Throws: ``DBusError`` `invalidArguments`.
    package func deliver(_ arguments: [DBusValue]) throws(DBusError) {
        var reader = ArgumentReader(arguments)
        let manager = UInt32(truncatingIfNeeded: try reader.integer("manager"))
        let events = try reader.dictionaries(CentralEvent.self)
        let continuation = state.withLock { $0.managers[manager] }
        for event in events { continuation?.yield(event) }
    }

    /// The link is closed: every manager's events end.
    package func close() {
        let managers = state.withLock { state in
            state.isClosed = true
            defer { state.managers = [:] }
            return state.managers
        }
        for continuation in managers.values { continuation.finish() }
    }

    private func close(_ manager: UInt32) {
        guard let continuation = state.withLock({ $0.managers.removeValue(forKey: manager) }) else { return }
        outbox.post(.central(manager: manager, CentralRequest(.close)))
        continuation.finish()
    }
}

package import HostInterface
import Synchronization

/// The owner of the radio: the host at the other end of the link.
package protocol BluetoothSource: Sendable {
    /// Serves one central manager: processes its requests in order, and returns the stream of their results. Ends when
    /// the stream isn't read any longer.
    func open(_ requests: AsyncStream<CentralRequest>) -> AsyncStream<CentralEvent>
}

/// The source of this process. Managers that are created before it wait for it.
package enum BluetoothSources {
    private struct State {
        var source: (any BluetoothSource)?
        var waiting: [@Sendable (any BluetoothSource) -> Void] = []
    }

    private static let state = Mutex(State())

    package static func install(_ source: any BluetoothSource) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.source = source
            return state.waiting
        }
        for begin in waiting { begin(source) }
    }

    static func whenThere(_ begin: @escaping @Sendable (any BluetoothSource) -> Void) {
        let source = state.withLock { state in
            if state.source == nil { state.waiting.append(begin) }
            return state.source
        }
        if let source { begin(source) }
    }
}

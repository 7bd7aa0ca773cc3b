import HostInterface

/// The number that a process of an extension chose for something that the host does for it.
struct BrowserKey: Hashable {
    let identifier: String
    let generation: Int
    let browser: UInt32
}

/// The work of the host for processes of extensions. It ends when the process asks for that or exits, and with the host.
struct ExtensionServices {
    var browses = RunningServices<Never>()
    var bluetooth = RunningServices<BluetoothOrder>()
    var centrals = RunningServices<CentralRequest>()
    var announcements = RunningServices<Never>()

    mutating func endAll(of identifier: String) {
        bluetooth.endAll(of: identifier)
        browses.endAll(of: identifier)
        centrals.endAll(of: identifier)
        announcements.endAll(of: identifier)
    }

    mutating func endAll() {
        browses.endAll()
        bluetooth.endAll()
        centrals.endAll()
        announcements.endAll()
    }
}

/// Services of one kind, some of which take input while they run.
struct RunningServices<Input: Sendable> {
    private struct Service {
        let task: Task<Void, Never>
        let input: AsyncStream<Input>.Continuation?

        func end() {
            input?.finish()
            task.cancel()
        }
    }

    private var services: [BrowserKey: Service] = [:]

    func isRunning(_ key: BrowserKey) -> Bool { services[key] != nil }

    func count(of identifier: String) -> Int { services.keys.count { $0.identifier == identifier } }

    /// Records a service that has begun, instead of an earlier one with its number.
    mutating func begin(
        _ key: BrowserKey, _ task: Task<Void, Never>, input: AsyncStream<Input>.Continuation? = nil
    ) {
        services.updateValue(Service(task: task, input: input), forKey: key)?.end()
    }

    /// Passes input on; it is dropped if the service has ended.
    func send(_ input: Input, to key: BrowserKey) { services[key]?.input?.yield(input) }

    mutating func end(_ key: BrowserKey) { services.removeValue(forKey: key)?.end() }

    /// Removes a service that has come to its own end. Don't call it after a cancellation: the number may belong to
    /// another by then.
    mutating func finished(_ key: BrowserKey) { services[key] = nil }

    mutating func endAll(of identifier: String) {
        for key in services.keys.filter({ $0.identifier == identifier }) { end(key) }
    }

    mutating func endAll() {
        for service in services.values { service.end() }
        services = [:]
    }
}

import Foundation

/// The devices with a stored credential, and the writes that are under way.
struct DeviceCredentials {
    private struct Write {
        /// The number that distinguishes writes for one device.
        let number: Int
        let task: Task<Void, Never>
    }

    private(set) var devices: Set<String> = []
    private var writes: [String: Write] = [:]
    private var last = 0

    /// The writes under way.
    var writeCount: Int { writes.count }

    func has(_ id: String) -> Bool { devices.contains(id) }

    mutating func read(_ stored: Set<String>) { devices = stored }

    mutating func stored(_ secret: Data?, for id: String) {
        if secret == nil { devices.remove(id) } else { devices.insert(id) }
    }

    mutating func erased(_ id: String) { devices.remove(id) }

    /// The last write for a device, which a pairing waits for: it is acknowledged once it is durable.
    func write(of id: String) -> Task<Void, Never>? { writes[id]?.task }

    /// Begins a write after the earlier one of the device.
    ///
    /// Extensions whose bonds are stored elsewhere report a missing credential for every device: nothing is done then.
    ///
    /// - Parameter write: A function that starts the write after the earlier one, which may be `nil`, and ends with
    ///   ``ended(_:of:)`` for its number.
    mutating func begin(
        _ secret: Data?, for id: String, _ write: (_ number: Int, _ earlier: Task<Void, Never>?) -> Task<Void, Never>
    ) {
        let earlier = writes[id]?.task
        guard secret != nil || earlier != nil || has(id) else { return }
        last += 1
        writes[id] = Write(number: last, task: write(last, earlier))
    }

    mutating func ended(_ number: Int, of id: String) {
        if writes[id]?.number == number { writes[id] = nil }
    }
}

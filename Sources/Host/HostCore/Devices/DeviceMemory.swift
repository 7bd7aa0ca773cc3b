/// The size of the text of each extension's devices and of all devices, in bytes.
package struct DeviceMemory: Sendable {
    /// The limit for one extension: 20,000 devices of 800 bytes each.
    package static let limitPerExtension = 16 << 20
    /// The limit for all extensions.
    package static let limit = 32 << 20

    private var sizes: [String: Int] = [:]
    private var total = 0

    package init() {}

    /// - Returns: Whether there was room.
    mutating func take(_ size: Int, for identifier: String) -> Bool {
        guard total + size <= Self.limit, sizes[identifier, default: 0] + size <= Self.limitPerExtension else {
            return false
        }
        restore(size, of: identifier)
        return true
    }

    /// Counts a size again that was released a moment ago.
    mutating func restore(_ size: Int, of identifier: String) {
        sizes[identifier, default: 0] += size
        total += size
    }

    mutating func giveBack(_ size: Int, of identifier: String) {
        sizes[identifier, default: 0] -= size
        if sizes[identifier] == 0 { sizes[identifier] = nil }
        total -= size
    }
}

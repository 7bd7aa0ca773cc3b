import HostClient
import HostInterface

/// Finds the device a person means.
enum DeviceNaming {
    /// - Parameter way: The protocol to use; of several devices, those that it reaches are meant.
    /// - Throws: ``HostError`` `ambiguous-name` or `no-such-device`, as ``NamedThings/resolve(_:)``.
    static func resolve(
        _ text: String, in devices: [ClientDevice], via way: String? = nil
    ) throws(HostError) -> ClientDevice {
        try NamedThings(
            things: devices, id: \.id, name: \.name, parts: { $0.parts.map { ($0.id, $0.name) } },
            preferred: { $0.isReached(via: way) },
            words: .init(
                plural: "devices", unknown: .noSuchDevice, detail: { "\($0.ways), \($0.id.prefix(8))" },
                nothing: { "No device is called “\($0)”" }, nothingAtAll: "; none was found on this network.")
        ).resolve(text)
    }

    /// Returns the meant part of a device that ``resolve(_:in:)`` found: a part by its own name or identifier, or the
    /// whole device.
    ///
    /// - Returns: Its identifier.
    static func part(_ text: String, of device: ClientDevice) -> String {
        let wanted = text.lowercased()
        func isMeant(_ id: String, _ name: String) -> Bool {
            [id, name].contains { $0.lowercased().hasPrefix(wanted) }
        }
        guard !isMeant(device.id, device.name) else { return device.id }
        let exact = device.parts.first { $0.name.lowercased() == wanted }
        return (exact ?? device.parts.first { isMeant($0.id, $0.name) })?.id ?? device.id
    }
}

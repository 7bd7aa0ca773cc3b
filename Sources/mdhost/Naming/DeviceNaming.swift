import HostClient
import HostInterface

/// Finds the device a person means.
enum DeviceNaming {
    /// - Throws: ``HostError`` `ambiguous-name` or `no-such-device`, as ``NamedThings/resolve(_:)``.
    static func resolve(_ text: String, in devices: [ClientDevice]) throws(HostError) -> ClientDevice {
        try NamedThings(
            things: devices, id: \.id, name: \.name,
            words: .init(
                plural: "devices", unknown: .noSuchDevice, detail: { "\($0.protocolName), \($0.id.prefix(8))" },
                nothing: { "No device is called “\($0)”" }, nothingAtAll: "; none was found on this network.")
        ).resolve(text)
    }
}

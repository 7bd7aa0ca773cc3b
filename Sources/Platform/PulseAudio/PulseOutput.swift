/// An output of a sound server, as far as it matters for Bluetooth.
struct PulseOutput: Sendable, Hashable {
    /// The server's; nobody reads it.
    let name: String
    /// Of the device, upper case; `nil` where it is none of Bluetooth.
    let address: String?
    /// Whether it is for music (A2DP, LE Audio), and not for calls.
    let isForMusic: Bool

    /// - Parameter property: PulseAudio's own properties (`module-bluez5-device`), or those of PipeWire (`spa/keys.h`).
    init(name: String, property: (String) -> String?) {
        self.name = name
        if let address = property("api.bluez5.address") {
            self.address = address.uppercased()
            isForMusic = !(property("api.bluez5.profile") ?? "").hasPrefix("head")
        } else if property("device.api") == "bluez", let address = property("device.string") {
            self.address = address.uppercased()
            isForMusic = property("bluetooth.protocol") == "a2dp_sink"
        } else {
            address = nil
            isForMusic = false
        }
    }

    /// That of a device; the one for music where it has several.
    static func best(of outputs: [PulseOutput], for address: String) -> PulseOutput? {
        let own = outputs.filter { $0.address == address.uppercased() }
        return own.first(where: \.isForMusic) ?? own.first
    }
}

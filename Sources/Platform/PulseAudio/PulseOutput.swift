/// An output of a sound server, as far as it matters for Bluetooth.
struct PulseOutput: Sendable, Hashable {
    /// The server's internal name of the output, not meant for people.
    let name: String
    /// The Bluetooth address of the device in upper case; `nil` if it isn't a Bluetooth device.
    let address: String?
    /// A Boolean value that indicates whether the output is for music (A2DP, LE Audio), not for calls.
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

    /// Returns the output of a device; the one for music if it has several.
    static func best(of outputs: [PulseOutput], for address: String) -> PulseOutput? {
        let own = outputs.filter { $0.address == address.uppercased() }
        return own.first(where: \.isForMusic) ?? own.first
    }
}

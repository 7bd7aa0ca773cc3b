import HostClient
import HostInterface
import ReferenceProtocol

/// The simulated Google Cast device, a program of its own that is installed with this one.
enum CastDemo {
    static let program = "mdhost-demo-cast"

    /// Replaces this process by the simulated device.
    ///
    /// - Returns: The reason why it can't.
    static func become(_ demo: DemoCommand, isJSON: Bool) -> HostError {
        InstalledPrograms.become(program, arguments(demo, isJSON: isJSON))
    }

    static func arguments(_ demo: DemoCommand, isJSON: Bool) -> [String] {
        let kind =
            switch demo.volume {
            case .absolute: "attenuation"
            case .relative: "master"
            case .none: "fixed"
            }
        var words = ["--name", demo.name, "--volume", kind, "--sample"]
        let address = demo.lan ? DemoAddress.ofThisMachine ?? DemoAddress.loopback : DemoAddress.loopback
        words += ["--address", address]
        if !demo.lan { words += ["--interface", "lo"] }
        if demo.speaker { words.append("--audio-only") }
        if demo.group { words += ["--group", "--member", demo.name + " Left", "--member", demo.name + " Right"] }
        if let record = demo.record { words += ["--record", record] }
        if let pictures = demo.recordPictures { words += ["--record-pictures", pictures] }
        if !isJSON { words.append("--text") }
        return words
    }
}

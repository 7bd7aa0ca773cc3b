import HostInterface

/// The rules about the device a person asks about: the first that applies says why it is not there.
extension Diagnosis {
    /// Returns why a device isn't ready; `nil` if it is.
    package static func finding(of device: DeviceFacts) -> Finding? {
        var facts = Facts()
        facts.device = device
        return Self.device(facts).first { $0.severity == .problem }
    }

    static func device(_ facts: Facts) -> [Finding] {
        guard let device = facts.device else { return [] }
        if let failure = device.failure {
            let remedy =
                failure.code == .noSuchDevice
                ? "Switch it on, on this network. Where multicast doesn't reach it: `mdhost device add ADDRESS`."
                : failure.remedy
            return [Finding(.device, .problem, failure.code.rawValue, failure.message, remedy: remedy)]
        }
        if device.isAvailable { return [available(device)] }
        return [extensionIsMissing(device) ?? absent(device)]
    }

    private static func available(_ device: DeviceFacts) -> Finding {
        if let error = device.lastError {
            return Finding(
                .device, .warning, "device-failed",
                "\(device.name) is ready. The last attempt failed: \(error.message)",
                remedy: error.remedy)
        }
        return Finding(.device, .note, "device", "\(device.name) is ready (\(device.protocolName)).")
    }

    private static func extensionIsMissing(_ device: DeviceFacts) -> Finding? {
        switch device.extensionState {
        case "":
            Finding(
                .device, .problem, "device-without-extension",
                "\(device.name) needs an extension for \(device.protocolName), and none is installed.",
                remedy: "Install it: `mdhost extension install BUNDLE`.")
        case "disabled":
            Finding(
                .device, .problem, "extension-disabled",
                "\(device.name) needs the extension \(device.extension), which is disabled.",
                remedy: "`mdhost extension enable \(device.extension)`")
        case "crashed", "quarantined", "load-failed", "invalid-manifest":
            Finding(
                .device, .problem, "extension-\(device.extensionState)",
                "\(device.name) needs the extension \(device.extension), which failed.",
                remedy: "`mdhost extension logs \(device.extension)` shows its last lines.")
        default: nil
        }
    }

    private static func absent(_ device: DeviceFacts) -> Finding {
        let name = device.name
        func place(_ answer: DeviceFacts.Place.Answer) -> DeviceFacts.Place? {
            device.places.first { $0.answer == answer }
        }
        if let place = place(.answered) {
            return Finding(
                .device, .problem, "device-not-taken-up",
                "Something answers at \(place.address), port \(place.port), and \(device.extension) doesn't take it for \(name).",
                remedy: "`mdhost extension logs \(device.extension)` may say why.")
        }
        if let place = place(.refused) {
            return Finding(
                .device, .problem, "device-refuses",
                "The machine of \(name) (\(place.address)) is on, and nothing listens at port \(place.port).",
                remedy: "Start the receiver on it, or restart the device.")
        }
        if let place = device.places.first(where: { !$0.isNear }), device.places.allSatisfy({ !$0.isNear }) {
            return Finding(
                .device, .problem, "device-on-another-network",
                "\(name) was last seen at \(place.address), which is on none of this machine's networks.",
                remedy: "Connect this machine to the network of the device.")
        }
        if let place = device.places.first {
            return Finding(
                .device, .problem, "device-silent", "\(name) doesn't answer at \(place.address), port \(place.port).",
                remedy: "Switch it on, and check that it is on this network.")
        }
        return Finding(
            .device, .problem, "device-absent", "\(name) was found before and isn't announced now.",
            remedy: "Switch it on, and check that it is on this network.")
    }
}

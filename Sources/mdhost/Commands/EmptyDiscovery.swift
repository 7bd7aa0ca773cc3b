import HostClient
import Reachability

/// The methods that discovery tried, and the next steps for a person, when no device was found.
struct EmptyDiscovery {
    /// The protocols of the running extensions.
    private let protocols: [String]
    /// The extensions that don't run.
    private let missing: [String]
    /// The interfaces that were searched, as `wlan0 (192.168.1.20)`.
    private let interfaces: [String]

    init(extensions: [ClientExtension], addresses: [InterfaceAddress]) {
        let devices = extensions.filter { !$0.protocolName.isEmpty }
        protocols = Set(devices.filter { $0.state == "running" }.map(\.protocolName)).sorted()
        missing = devices.filter { $0.state != "running" && $0.state != "disabled" }.map(\.name).sorted()
        let usable = addresses.filter { $0.isUp && $0.isRunning && !$0.isLoopback && $0.canMulticast && $0.isIPv4 }
        interfaces = usable.map { "\($0.interface) (\($0.text))" }.sorted()
    }

    var lines: [String] {
        var lines = ["No device was found."]
        if !protocols.isEmpty {
            lines.append("  Searched by \(protocols.joined(separator: ", ")).")
        }
        if !missing.isEmpty {
            lines.append("  Not running: \(missing.joined(separator: ", ")); see mdhost extension list.")
        }
        lines.append(
            interfaces.isEmpty
                ? "  This computer isn't connected to a network."
                : "  Searched on \(interfaces.joined(separator: ", ")).")
        lines += [
            "  A device has to be on and in the same network as this computer; a guest network or VPN separates them.",
            "  Find out more:           mdhost doctor",
            "  Try a simulated device:  mdhost demo",
        ]
        return lines
    }
}

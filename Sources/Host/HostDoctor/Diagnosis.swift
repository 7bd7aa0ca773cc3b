import HostInterface

/// The evaluation of ``Facts``, as a pure function with one rule for each problem that a person can fix.
package enum Diagnosis {
    /// Below this much room, writing the database or the log may fail.
    static let scarceRoom = 50 << 20

    /// Findings in the order in which they are best mended; within an area the gravest first.
    package static func findings(_ facts: Facts) -> [Finding] {
        let areas = [
            device(facts), storage(facts), daemon(facts), extensions(facts), network(facts), mdns(facts), ssdp(facts),
            firewall(facts),
            bluetooth(facts), silence(facts),
        ]
        return areas.flatMap { findings in
            findings.enumerated().sorted { left, right in
                (right.element.severity, left.offset) < (left.element.severity, right.offset)
            }.map(\.element)
        }
    }

    private static func storage(_ facts: Facts) -> [Finding] {
        facts.folders.map { folder in
            if let failure = folder.failure {
                return Finding(
                    .storage, .problem, "folder-unusable", "The \(folder.purpose) folder \(folder.path) \(failure).",
                    remedy: "Make it a folder of your own that you can write to: `chown`, `chmod 700`.")
            }
            if let free = folder.free, free < scarceRoom {
                return Finding(
                    .storage, .warning, "disk-full",
                    "\(folder.path) has \(free >> 20) MB left: pairings may not be stored.", remedy: "Make room there.")
            }
            return Finding(.storage, .fine, "folder", "The \(folder.purpose) folder is \(folder.path).")
        }
    }

    private static func daemon(_ facts: Facts) -> [Finding] {
        var findings: [Finding] = []
        if let failure = facts.daemon.failure {
            findings.append(
                Finding(
                    .daemon, .problem, failure.code.rawValue, failure.message,
                    remedy: failure.remedy ?? "Run `mdhost daemon` in a terminal and look at what it says."))
        } else {
            findings.append(
                Finding(
                    .daemon, .fine, "daemon",
                    "The daemon \(facts.daemon.version ?? "") runs as process \(facts.daemon.processID ?? 0)."))
        }
        // The areas below report discovery problems in more detail.
        let toldBelow: Set<HostError.Code> = [.discoveryFailed, .discoveryLimited]
        for problem in facts.daemon.problems where !toldBelow.contains(problem.code) {
            findings.append(
                Finding(.daemon, .warning, problem.code.rawValue, problem.message, remedy: problem.remedy))
        }
        if !facts.hasSessionBus {
            findings.append(
                Finding(
                    .daemon, .note, "no-session-bus",
                    "No session bus: commands work, but desktop programs can't find mdhost."))
        }
        if facts.daemon.unreachableDevices > 0 {
            findings.append(
                Finding(
                    .daemon, .warning, "device-unreachable",
                    "\(facts.daemon.unreachableDevices) of \(facts.daemon.devices) devices no longer answer.",
                    remedy: "Check that they are on and on this network."))
        }
        if let failure = facts.daemon.pushFailures.last {
            findings.append(
                Finding(
                    .daemon, .warning, "push-failed",
                    "\(facts.daemon.pushFailures.count) pushes of servers could not be applied, the last one to "
                        + "\(failure.application) (\(failure.identifier)): \(failure.message)",
                    remedy: "Look at what the server sends; docs/push.md has the form."))
        }
        return findings
    }

    private static func extensions(_ facts: Facts) -> [Finding] {
        guard !facts.extensions.isEmpty else {
            return [
                Finding(
                    .extensions, .problem, "no-extension", "No extension is installed, so no device can be found.",
                    remedy: "Build the whole package (`swift build`), or reinstall mdhost.")
            ]
        }
        return facts.extensions.map { status in
            switch status.state {
            case "crashed", "quarantined", "load-failed", "invalid-manifest":
                return Finding(
                    .extensions, status.state == "crashed" ? .warning : .problem, "extension-" + status.state,
                    "\(status.name): \(status.lastError ?? "it is \(status.state)")",
                    remedy: status.state == "invalid-manifest"
                        ? "Mend or remove \(status.path)." : "`mdhost extension logs` shows its last words.")
            case "disabled":
                return Finding(.extensions, .note, "extension-disabled", "\(status.name) is switched off.")
            default:
                guard let devices = status.devices else {
                    return Finding(
                        .extensions, .fine, "extension", "\(status.name) represents playback of its app elsewhere.")
                }
                let count = devices == 1 ? "1 device" : "\(devices) devices"
                return Finding(.extensions, .fine, "extension", "\(status.name) found \(count).")
            }
        }
    }

    private static func network(_ facts: Facts) -> [Finding] {
        var findings: [Finding] = []
        let usable = facts.interfaces.filter { $0.canMulticast && !$0.addresses.isEmpty && $0.kind != .tunnel }
        if usable.isEmpty {
            findings.append(
                Finding(
                    .network, .problem, "no-network", "No network that devices could be on: no interface is up.",
                    remedy: "Connect this machine to the network the devices are on."))
        } else if !usable.contains(where: \.hasIPv4) {
            findings.append(
                Finding(
                    .network, .warning, "ipv6-only",
                    "This machine has IPv6 addresses only; most DLNA devices know IPv4 alone.",
                    remedy: "Let DHCP give this machine an IPv4 address as well."))
        }
        for interface in facts.interfaces where interface.kind == .tunnel && interface.hasDefaultRoute {
            findings.append(
                Finding(
                    .network, .warning, "tunnel",
                    "Everything leaves through the tunnel \(interface.name); devices here may be out of reach.",
                    remedy: "Allow local network access in the VPN's settings, or switch it off while you play."))
        }
        for interface in usable {
            findings.append(
                Finding(
                    .network, .fine, "interface",
                    "\(interface.name) (\(interface.kind.rawValue)) has \(interface.addresses.joined(separator: ", "))."
                )
            )
        }
        return findings
    }
}

import HostInterface

/// The rules about finding devices.
extension Diagnosis {
    static func mdns(_ facts: Facts) -> [Finding] {
        var findings: [Finding] = []
        if let failure = facts.mdns.avahiFailure {
            findings.append(
                Finding(
                    .mdns, .problem, "no-avahi",
                    "Avahi does not answer (\(failure)): devices announced by Bonjour are not found.",
                    remedy: """
                        `sudo apt install avahi-daemon`, then `sudo systemctl start avahi-daemon`, or `sudo avahi-daemon -D` \
                        where there is no systemd.
                        """))
        } else {
            let count = facts.mdns.answers.values.reduce(0, +)
            findings.append(
                Finding(
                    .mdns, .fine, "avahi",
                    "Avahi answers and knows \(count) services of \(facts.mdns.types.joined(separator: ", "))."))
        }
        if !facts.mdns.avahiLimits.isEmpty {
            findings.append(
                Finding(
                    .mdns, .warning, "avahi-limited",
                    "avahi-daemon.conf limits what is seen: \(facts.mdns.avahiLimits.joined(separator: ", ")).",
                    remedy: "Remove these lines from /etc/avahi/avahi-daemon.conf and restart avahi-daemon."))
        }
        for cache in facts.mdns.fullCaches {
            findings.append(
                Finding(
                    .mdns, .warning, "avahi-cache-full",
                    """
                    Avahi has no room for more services of \(cache.interface) over \(cache.isIPv6 ? "IPv6" : "IPv4"): \
                    its cache of \(cache.capacity) entries takes about \(cache.capacity / 3).
                    """, remedy: HostError(.discoveryLimited, "").remedy))
        }
        if !facts.mdns.otherStacks.isEmpty {
            let names = Set(facts.mdns.otherStacks.map { $0.isEmpty ? "another user's program" : $0 }).sorted()
            findings.append(
                Finding(
                    .mdns, .note, "two-mdns-stacks",
                    "\(names.joined(separator: ", ")) also listens for mDNS (UDP 5353), which may take answers from Avahi.",
                    remedy: "If Bonjour devices come and go: `MulticastDNS=no` in resolved.conf, or close the program.")
            )
        }
        return findings
    }

    static func ssdp(_ facts: Facts) -> [Finding] {
        let count = facts.ssdp.answers.values.reduce(0, +)
        let failures = facts.ssdp.failures.sorted { $0.key < $1.key }.map { what, why in
            Finding(
                .ssdp, .warning, "ssdp-failed", "UPnP devices may be missed: to \(what) failed (\(why)).",
                remedy:
                    "Check that the interface has an address and a route for multicast: `ip route get 239.255.255.250`."
            )
        }
        return [Finding(.ssdp, .fine, "ssdp", "\(count) UPnP devices answered.")] + failures
    }

    static func firewall(_ facts: Facts) -> [Finding] {
        var findings: [Finding] = []
        for trial in facts.firewall.trials where trial.heard == false {
            let port = trial.protocol == "mdns" ? 5353 : 1900
            findings.append(
                Finding(
                    .firewall, .problem, "\(trial.protocol)-blocked",
                    "Multicast to UDP port \(port) does not arrive on \(trial.interface): a firewall of this machine drops it.",
                    remedy:
                        "Allow UDP port \(port) from the local network: `sudo ufw allow in proto udp to any port \(port)`, or the like."
                ))
        }
        let untried = facts.firewall.trials.filter { $0.heard == nil }
        for trial in untried {
            findings.append(
                Finding(
                    .firewall, .note, "untried",
                    "Whether \(trial.protocol) arrives on \(trial.interface) could not be tried: \(trial.failure ?? "")."
                ))
        }
        let blocked = facts.firewall.trials.contains { $0.heard == false }
        if !facts.firewall.trials.isEmpty, !blocked, untried.isEmpty {
            findings.append(Finding(.firewall, .fine, "multicast", "Multicast arrives on every interface."))
        }
        if !facts.firewall.active.isEmpty, facts.firewall.filePorts == nil {
            findings.append(
                Finding(
                    .firewall, .note, "file-ports",
                    "\(facts.firewall.active.joined(separator: ", ")) is on: devices may not reach files played from this machine.",
                    remedy: "Give mdhost fixed ports (`MDHOST_FILE_PORTS=8200-8209`) and allow TCP to them."))
        }
        return findings
    }

    /// Returns findings for interfaces without any answer. If everything else works, the network isolates devices from
    /// each other.
    static func silence(_ facts: Facts) -> [Finding] {
        guard facts.mdns.avahiFailure == nil, !facts.firewall.trials.contains(where: { $0.heard == false }) else {
            return []
        }
        return facts.interfaces.filter { interface in
            interface.canMulticast && !interface.addresses.isEmpty && [.wired, .wireless].contains(interface.kind)
                && facts.mdns.answers[interface.name, default: 0] == 0
                && facts.ssdp.answers[interface.name, default: 0] == 0
        }.map { interface in
            Finding(
                .network, .warning, "silence", "Nobody answered on \(interface.name).",
                remedy: interface.kind == .wireless
                    ? "Use the same Wi-Fi as the devices: guest networks and “client isolation” keep them apart."
                    : "Check that the devices are on the same network: VLANs and some switches keep multicast apart.")
        }
    }
}

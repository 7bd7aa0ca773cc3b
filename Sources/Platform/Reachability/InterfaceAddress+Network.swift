extension InterfaceAddress {
    /// The hosts by which others in the network reach this computer, as URLs name them; IPv4 first.
    package static func networkHosts() -> [String] {
        let entries = ((try? all()) ?? []).filter {
            $0.isUp && $0.isRunning && !$0.isLoopback && !$0.isLinkLocal && !$0.text.isEmpty
        }
        return entries.filter(\.isIPv4).map(\.text) + entries.filter(\.isIPv6).map { "[\($0.text)]" }
    }
}

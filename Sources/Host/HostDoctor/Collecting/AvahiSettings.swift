/// Reads `avahi-daemon.conf(5)` for settings that limit what Avahi sees.
enum AvahiSettings {
    static let path = "/etc/avahi/avahi-daemon.conf"

    /// The limiting lines, as `key=value`.
    static func limits(_ text: String) -> [String] {
        var limits: [String] = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard parts.count == 2, let key = parts.first, let value = parts.last else { continue }
            switch (key, value.lowercased()) {
            case ("allow-interfaces", _), ("deny-interfaces", _), ("use-ipv4", "no"), ("use-ipv6", "no"):
                limits.append("\(key)=\(value)")
            default: continue
            }
        }
        return limits
    }
}

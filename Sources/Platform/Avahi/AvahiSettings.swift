/// The settings in `avahi-daemon.conf(5)` that limit the services Avahi sees.
package struct AvahiSettings: Sendable, Hashable {
    package static let path = "/etc/avahi/avahi-daemon.conf"

    /// The limiting lines, as `key=value`.
    package var limits: [String] = []
    /// Records kept for each interface and family; Avahi silently drops announcements beyond them.
    package var cacheEntries = 4096

    private static let ownObjects = 1024

    /// - Parameter text: The contents of the file; empty if it can't be read.
    package init(_ text: String) {
        let standard = cacheEntries
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            guard parts.count == 2, let key = parts.first, let value = parts.last else { continue }
            switch (key, value.lowercased()) {
            case ("allow-interfaces", _), ("deny-interfaces", _), ("use-ipv4", "no"), ("use-ipv6", "no"):
                limits.append("\(key)=\(value)")
            case ("cache-entries-max", _):
                guard let count = Int(value), count >= 0 else { continue }
                cacheEntries = count
                if count < standard { limits.append("\(key)=\(value)") }
            case ("objects-per-client-max", _):
                if let count = Int(value), count < Self.ownObjects { limits.append("\(key)=\(value)") }
            default: continue
            }
        }
    }
}

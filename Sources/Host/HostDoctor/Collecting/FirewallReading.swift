import Foundation

/// Detects active firewalls, as far as possible without privileges.
enum FirewallReading {
    static func active() -> [String] {
        var names: [String] = []
        let settings = TextFile.read("/etc/ufw/ufw.conf").split(separator: "\n").map { $0.filter { !$0.isWhitespace } }
        if settings.contains(where: { $0.lowercased() == "enabled=yes" }) { names.append("ufw") }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        if processes.contains(where: { Int($0) != nil && TextFile.read("/proc/\($0)/comm") == "firewalld\n" }) {
            names.append("firewalld")
        }
        return names
    }
}

import Foundation

/// Finds the processes that listen on a UDP port of this machine.
package enum PortOwners {
    /// One socket in `/proc/net/udp` or `/proc/net/udp6`.
    struct Socket: Hashable {
        var inode: Int
        var user: UInt32
    }

    static let avahi = "avahi-daemon"

    /// Programs other than avahi-daemon that listen for mDNS; by the name of the process, else of its user.
    package static func otherMulticastDNSStacks() -> [String] {
        let found = ["/proc/net/udp", "/proc/net/udp6"].flatMap { sockets(TextFile.read($0), port: 5353) }
        guard !found.isEmpty else { return [] }
        let names = processNames(of: Set(found.map(\.inode)))
        let avahiUser = getpwnam("avahi")?.pointee.pw_uid
        return Set(
            found.compactMap { socket -> String? in
                if let name = names[socket.inode] { return name == avahi ? nil : name }
                // The files of other users' processes are closed to us; their user is not.
                if socket.user == avahiUser { return nil }
                return getpwuid(socket.user).map { String(cString: $0.pointee.pw_name) } ?? ""
            }
        ).sorted()
    }

    /// Sockets bound to `port`, from the table's text.
    static func sockets(_ table: String, port: UInt16) -> [Socket] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 10, let colon = fields[1].lastIndex(of: ":"),
                UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port,
                let user = UInt32(fields[7]), let inode = Int(fields[9])
            else { return nil }
            return Socket(inode: inode, user: user)
        }
    }

    private static func processNames(of inodes: Set<Int>) -> [Int: String] {
        var names: [Int: String] = [:]
        let manager = FileManager.default
        for process in (try? manager.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(process) != nil {
            for file in (try? manager.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? [] {
                guard let target = try? manager.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(file)"),
                    target.hasPrefix("socket:["), let inode = Int(target.dropFirst(8).dropLast()),
                    inodes.contains(inode)
                else { continue }
                names[inode] = TextFile.read("/proc/\(process)/comm").trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }
        return names
    }
}

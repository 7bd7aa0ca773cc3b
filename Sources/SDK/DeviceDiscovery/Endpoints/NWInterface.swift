import Foundation

/// A network interface of this computer. Two interfaces are equal if name, index and type are.
public struct NWInterface: Hashable, Sendable, CustomDebugStringConvertible {
    /// The kind of link of an interface.
    public enum InterfaceType: Hashable, Sendable {
        /// Another or unknown kind.
        case other
        /// A wireless LAN.
        case wifi
        /// A mobile network.
        case cellular
        /// A wired LAN, including virtual ones.
        case wiredEthernet
        /// The loopback interface.
        case loopback
    }

    /// The kind of link.
    public let type: InterfaceType
    /// The system's name, such as `eth0`.
    public let name: String
    /// The system's index; 0 if the interface doesn't exist.
    public let index: Int

    /// Looks up an interface; `nil` if the name is invalid.
    package init?(name: String) {
        let isPossible = !name.contains { $0 == "/" || $0 == ":" || $0 == "%" || $0 == "]" || $0.isWhitespace }
        guard isPossible, name != ".", name != "..", (1..<Int(IF_NAMESIZE)).contains(name.utf8.count),
            !name.utf8.contains(0)
        else { return nil }
        self.name = name
        index = Int(if_nametoindex(name))
        type = Self.type(of: name)
    }

    /// Looks up an interface by its index; `nil` if it doesn't exist.
    package init?(index: UInt32) {
        var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &buffer) != nil else { return nil }
        self.init(name: String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// The name.
    public var debugDescription: String { name }

    /// The kernel's hardware types (`linux/if_arp.h`).
    private enum HardwareType {
        static let ethernet = "1"
        static let loopback = "772"
    }

    private static func type(of name: String) -> InterfaceType {
        let folder = "/sys/class/net/" + name
        if access(folder + "/wireless", F_OK) == 0 || access(folder + "/phy80211", F_OK) == 0 { return .wifi }
        let hardware = (try? String(contentsOfFile: folder + "/type", encoding: .utf8)) ?? ""
        switch hardware.trimmingCharacters(in: .whitespacesAndNewlines) {
        case HardwareType.loopback: return .loopback
        case HardwareType.ethernet: return name.hasPrefix("wwan") ? .cellular : .wiredEthernet
        default:
            if name.hasPrefix("wwan") { return .cellular }
            return name == "lo" ? .loopback : .other
        }
    }
}

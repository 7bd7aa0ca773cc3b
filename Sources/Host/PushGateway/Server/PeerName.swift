import HostSockets
import NIOCore

/// The name under which the connections of a peer are counted: its IPv4 address, or the network of its IPv6 address (/64), as a
/// host can use every address of its network.
enum PeerName {
    static func of(_ address: SocketAddress?) -> String {
        guard let address = NumericAddress(address) else { return "" }
        guard address.bytes.count == 16 else { return address.text }
        return address.bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }
}

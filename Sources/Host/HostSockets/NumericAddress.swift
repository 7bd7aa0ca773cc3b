package import Foundation
package import NIOCore

/// An IPv4 or IPv6 address without a port; IPv6 link-local ones with the interface they belong to.
package struct NumericAddress: Sendable, Hashable {
    /// 4 or 16, network order.
    package let bytes: [UInt8]
    /// Interface index; 0 unless link-local IPv6.
    package let scope: UInt32

    /// - Parameter text: `10.0.0.5`, `fd00::1`, `fe80::1%eth0`; host names are refused.
    package init?(_ text: String) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var results: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, nil, &hints, &results) == 0, let address = results?.pointee.ai_addr else { return nil }
        defer { freeaddrinfo(results) }
        self.init(UnsafePointer(address))
    }

    package init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
            }
            scope = 0
        case AF_INET6:
            let (raw, index) = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                (withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }, pointer.pointee.sin6_scope_id)
            }
            if raw.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] {
                bytes = Array(raw.suffix(4))
                scope = 0
            } else {
                bytes = raw
                scope = raw[0] == 0xFE && raw[1] & 0xC0 == 0x80 ? index : 0
            }
        default: return nil
        }
    }

    package init?(_ address: SocketAddress?) {
        guard let address else { return nil }
        let result = address.withSockAddr { pointer, _ in NumericAddress(pointer) }
        guard let result else { return nil }
        self = result
    }

    package var isLinkLocal: Bool { bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// A Boolean value that indicates whether the address represents this machine among a file's readers.
    package var isThisMachine: Bool { bytes == [127, 0, 0, 1] }

    /// The text for binding a socket, including any scope.
    package var text: String {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard scope != 0, if_indextoname(scope, &name) != nil else { return plainText }
        return plainText + "%" + String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The text for a URL, in brackets if needed. It has no scope, because scopes have no meaning on another machine.
    package var urlHost: String { bytes.count == 16 ? "[\(plainText)]" : plainText }

    private var plainText: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        _ = bytes.withUnsafeBytes {
            inet_ntop(bytes.count == 16 ? AF_INET6 : AF_INET, $0.baseAddress, &buffer, socklen_t(buffer.count))
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The local address from which packets to this address are sent; `nil` without a route. Reading this property
    /// sends nothing.
    package var reachedFrom: NumericAddress? {
        let isV6 = bytes.count == 16
        let descriptor = socket(isV6 ? AF_INET6 : AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let size = fill(address, isV6: isV6)
                guard connect(descriptor, address, size) == 0, getsockname(descriptor, address, &length) == 0 else {
                    return nil
                }
                return NumericAddress(UnsafePointer(address))
            }
        }
    }

    private func fill(_ address: UnsafeMutablePointer<sockaddr>, isV6: Bool) -> socklen_t {
        // Any port will do: nothing is sent.
        let port = UInt16(9).bigEndian
        if isV6 {
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                pointer.pointee.sin6_family = sa_family_t(AF_INET6)
                pointer.pointee.sin6_port = port
                pointer.pointee.sin6_scope_id = scope
                withUnsafeMutableBytes(of: &pointer.pointee.sin6_addr) { $0.copyBytes(from: bytes) }
                return socklen_t(MemoryLayout<sockaddr_in6>.size)
            }
        }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
            pointer.pointee.sin_family = sa_family_t(AF_INET)
            pointer.pointee.sin_port = port
            withUnsafeMutableBytes(of: &pointer.pointee.sin_addr) { $0.copyBytes(from: bytes) }
            return socklen_t(MemoryLayout<sockaddr_in>.size)
        }
    }
}

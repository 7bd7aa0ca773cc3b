/// The sender's remote control, as it is announced and as receivers get it.
package struct RemoteIdentity: Sendable, Hashable {
    package static let serviceType = "_dacp._tcp"

    /// The 16 hexadecimal digits of the identifier. The first isn't zero, because shairport-sync drops leading zeros of
    /// the announced one only.
    package let identifier: String

    /// - Parameter number: Random; its highest bit does not matter.
    package init(_ number: UInt64) { identifier = String(number | 1 << 63, radix: 16, uppercase: true) }

    /// The service name by which receivers find it.
    package var serviceName: String { "iTunes_Ctrl_\(identifier)" }

    package var txtRecord: [String: String] { ["txtvers": "1", "Ver": "131073", "DbId": identifier] }

    /// Returns the header fields for every request.
    ///
    /// - Parameter token: The token with which the receiver authenticates.
    package func headers(token: UInt32) -> RTSPHeaders { ["DACP-ID": identifier, "Active-Remote": String(token)] }
}

/// The receivers that may press keys. Each has a secret token and an address.
package struct RemoteGuests<Guest: Sendable>: Sendable {
    private var guests: [UInt32: (address: String, guest: Guest)] = [:]

    package init() {}

    package var isEmpty: Bool { guests.isEmpty }

    /// Lets a receiver in.
    ///
    /// - Returns: Its token.
    package mutating func admit(_ guest: Guest, at address: String, random: () -> UInt32) -> UInt32 {
        var token = random()
        while token == 0 || guests[token] != nil { token = random() }
        guests[token] = (address, guest)
        return token
    }

    package mutating func remove(_ token: UInt32) { guests[token] = nil }

    /// Returns the receiver that sent a request.
    ///
    /// - Parameters:
    ///   - header: The `Active-Remote` field as it arrived.
    ///   - isFrom: A function that returns `true` if the request comes from an address.
    /// - Returns: `nil` if the token is unknown or comes from another address.
    package func guest(_ header: String?, isFrom: (String) -> Bool) -> Guest? {
        guard let header, header.utf8.count <= 10, header.utf8.allSatisfy({ (48...57).contains($0) }),
            let token = UInt32(header), let known = guests[token], isFrom(known.address)
        else { return nil }
        return known.guest
    }
}

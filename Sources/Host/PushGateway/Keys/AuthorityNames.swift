import Foundation
import HostInterface
import SwiftASN1
import X509

/// The names that a gateway's authority may sign certificates for.
enum AuthorityNames {
    /// Names under `.local`, private and loopback addresses, and what it was made for.
    static func constraints(_ names: [String]) -> NameConstraints {
        let known = names.map(GatewayCertificates.alternativeName)
        let domains = known.compactMap { if case .dnsName(let name) = $0 { name } else { nil } }
        let addresses = known.compactMap { name -> ASN1OctetString? in
            guard case .ipAddress(let address) = name else { return nil }
            let bytes = Array(address.bytes)
            return isPrivate(bytes) ? nil : range(bytes, Array(repeating: 0xFF, count: bytes.count))
        }
        return NameConstraints(
            permittedDNSDomains: Set(domains + ["local", "localhost"]).sorted(),
            permittedIPRanges: privateRanges.map { range($0.address, $0.mask) } + addresses)
    }

    /// The names that the authority may sign for, as an authority of an earlier version may for all. This computer's own
    /// name is left out where it is another than when the authority was made.
    ///
    /// - Throws: ``HostError`` `invalid-argument` for any other name that it may not sign for.
    static func permitted(
        _ names: [String], by authority: Certificate, at path: String
    ) throws(HostError) -> [String] {
        guard let constraints = try? authority.extensions.nameConstraints else { return names }
        var permitted: [String] = []
        for name in names {
            if permits(constraints, GatewayCertificates.alternativeName(name)) {
                permitted.append(name)
            } else if name != ProcessInfo.processInfo.hostName {
                throw HostError(
                    .invalidArgument, "The authority \(path) isn't allowed to sign for “\(name)”.",
                    remedy: "Remove it and its key, ca-key.pem, for a new one, and have servers trust that.")
            }
        }
        return permitted
    }

    private static func permits(_ constraints: NameConstraints, _ name: GeneralName) -> Bool {
        switch name {
        case .dnsName(let name):
            return constraints.permittedDNSDomains.contains {
                name.lowercased() == $0.lowercased() || name.lowercased().hasSuffix("." + $0.lowercased())
            }
        case .ipAddress(let address):
            let bytes = Array(address.bytes)
            return constraints.permittedIPRanges.contains { range in
                let (network, mask) = (range.bytes.prefix(bytes.count), range.bytes.suffix(bytes.count))
                return range.bytes.count == 2 * bytes.count
                    && zip(bytes, zip(network, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
            }
        default: return false
        }
    }

    private static let privateRanges: [(address: [UInt8], mask: [UInt8])] = [
        ([127, 0, 0, 0], [255, 0, 0, 0]), ([10, 0, 0, 0], [255, 0, 0, 0]), ([172, 16, 0, 0], [255, 240, 0, 0]),
        ([192, 168, 0, 0], [255, 255, 0, 0]), ([169, 254, 0, 0], [255, 255, 0, 0]),
        (ending(1), Array(repeating: 255, count: 16)), (beginning(0xFC), beginning(0xFE)),
        ([0xFE, 0x80] + Array(repeating: 0, count: 14), [0xFF, 0xC0] + Array(repeating: 0, count: 14)),
    ]

    private static func beginning(_ byte: UInt8) -> [UInt8] { [byte] + Array(repeating: 0, count: 15) }
    private static func ending(_ byte: UInt8) -> [UInt8] { Array(repeating: 0, count: 15) + [byte] }

    private static func isPrivate(_ bytes: [UInt8]) -> Bool {
        privateRanges.contains { range in
            range.address.count == bytes.count
                && zip(bytes, zip(range.address, range.mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
        }
    }

    private static func range(_ address: [UInt8], _ mask: [UInt8]) -> ASN1OctetString {
        ASN1OctetString(contentBytes: ArraySlice(address + mask))
    }
}

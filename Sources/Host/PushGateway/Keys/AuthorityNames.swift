import Foundation
import HostInterface
import X509

/// The names that a gateway's authority may sign certificates for.
enum AuthorityNames {
    /// Names under `.local`, and those it was made for. Addresses have no bound: BoringSSL, which many senders use, refuses
    /// authorities that have one.
    static func constraints(_ names: [String]) -> NameConstraints {
        let domains = names.map(GatewayCertificates.alternativeName).compactMap { name -> String? in
            if case .dnsName(let domain) = name { domain } else { nil }
        }
        return NameConstraints(permittedDNSDomains: Set(domains + ["local", "localhost"]).sorted())
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
        guard case .dnsName(let name) = name else { return true }
        return constraints.permittedDNSDomains.contains {
            name.lowercased() == $0.lowercased() || name.lowercased().hasSuffix("." + $0.lowercased())
        }
    }
}

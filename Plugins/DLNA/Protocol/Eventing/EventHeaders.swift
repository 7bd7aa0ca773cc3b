/// A device's answer to a subscription.
package struct SubscriptionGrant: Sendable, Hashable {
    /// The subscription identifier, with its `uuid:` prefix.
    package var identifier: String
    /// The duration of the subscription; `nil` if it doesn't expire.
    package var timeout: Duration?
}

extension SubscriptionGrant {
    /// Parses the headers of an answer.
    ///
    /// - Parameters:
    ///   - identifier: The `SID` header. Some devices omit it when renewing; the old one remains valid then.
    ///   - timeout: The `TIMEOUT` header.
    ///   - old: The identifier of the subscription that is renewed; `nil` for a new one.
    /// - Throws: ``DLNAError/missing(_:)`` without an identifier.
    /// - Source: UPnP Device Architecture 1.1, section 4.1.2.
    package init(
        identifierHeader identifier: String?, timeoutHeader timeout: String?, renewing old: String? = nil
    ) throws(DLNAError) {
        guard let identifier = (identifier?.trimmed).flatMap({ $0.isEmpty ? nil : $0 }) ?? old,
            identifier.utf8.count <= 256
        else { throw .missing("SID") }
        self.init(identifier: identifier, timeout: Self.duration(timeout))
    }

    static let defaultTimeout = Duration.seconds(1800)
    private static let bounds = 2...86_400

    /// `Second-1800`, `Second-infinite` or `infinite`, in any case; half an hour for anything else.
    static func duration(_ header: String?) -> Duration? {
        let text = (header ?? "").trimmed.lowercased()
        let value = text.hasPrefix("second-") ? text.dropFirst(7) : text[...]
        if value == "infinite" { return nil }
        guard let seconds = Int(value), seconds > 0 else { return defaultTimeout }
        return .seconds(min(max(seconds, bounds.lowerBound), bounds.upperBound))
    }
}

/// The headers of an event.
package struct EventHeaders: Sendable, Hashable {
    package var identifier: String
    /// Zero is the initial event; after the largest comes 1.
    package var sequence: UInt32
}

extension EventHeaders {
    /// - Throws: ``DLNAError``: `missing` with the header's name, `unexpected` for another kind of notification.
    /// - Source: UPnP Device Architecture 1.1, section 4.3.2.
    package init(type: String?, subtype: String?, identifier: String?, sequence: String?) throws(DLNAError) {
        guard type?.trimmed.lowercased() == "upnp:event", subtype?.trimmed.lowercased() == "upnp:propchange" else {
            throw .unexpected(subtype ?? type ?? "NT")
        }
        guard let identifier = identifier?.trimmed, !identifier.isEmpty else { throw .missing("SID") }
        guard let sequence = (sequence?.trimmed).flatMap({ UInt32($0) }) else { throw .missing("SEQ") }
        self.init(identifier: identifier, sequence: sequence)
    }

    /// The number the next event has.
    package static func sequence(after sequence: UInt32) -> UInt32 {
        sequence == .max ? 1 : sequence + 1
    }
}

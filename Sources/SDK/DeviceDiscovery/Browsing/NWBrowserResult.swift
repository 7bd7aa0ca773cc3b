import HostInterface

extension NWBrowser {
    /// A discovered service. Two results are equal if all their properties are.
    public struct Result: Hashable, Sendable {
        /// The metadata of a service.
        public enum Metadata: Hashable, Sendable {
            /// No metadata, because it wasn't requested.
            case none
            /// The TXT record.
            case bonjour(NWTXTRecord)
        }

        /// The endpoint that names the service.
        public let endpoint: NWEndpoint
        /// The interfaces on which the service is visible, in alphabetical order.
        public let interfaces: [NWInterface]
        /// The TXT record, if the descriptor requests it.
        public let metadata: Metadata
        /// The addresses and port of the service in order of preference; empty until they are known, and for a
        /// descriptor without TXT records. Available on Linux only.
        public let resolvedEndpoints: [NWEndpoint]
        /// The host name of the service, such as `tv.local`, which stays the same when the address changes; `nil` until
        /// it is known, and for a descriptor without TXT records. Available on Linux only.
        public let hostName: String?

        /// A change of a result.
        public enum Change: Hashable, Sendable {
            /// The result didn't change.
            case identical
            /// The service was discovered.
            case added(Result)
            /// The service is gone.
            case removed(Result)
            /// The service changed; the flags say how.
            case changed(old: Result, new: Result, flags: Flags)

            /// The changed properties of a result.
            public struct Flags: OptionSet, Hashable, Sendable {
                /// The bits of the set.
                public let rawValue: Int

                /// Creates a set from its bits.
                public init(rawValue: Int) { self.rawValue = rawValue }

                /// Nothing changed.
                public static let identical: Flags = []
                /// The service is visible on another interface.
                public static let interfaceAdded = Flags(rawValue: 1 << 0)
                /// The service is no longer visible on an interface.
                public static let interfaceRemoved = Flags(rawValue: 1 << 1)
                /// The TXT record changed.
                public static let metadataChanged = Flags(rawValue: 1 << 2)
                /// The addresses or the port changed. Available on Linux only.
                public static let addressesChanged = Flags(rawValue: 1 << 3)
            }
        }
    }
}

extension NWBrowser.Result {
    /// Creates a result from the host's item; `nil` if it has no name, or isn't visible on an allowed interface.
    init?(_ item: BrowseItem, includesTXT: Bool, parameters: NWParameters.Values) {
        guard !item.name.isEmpty, !item.type.isEmpty,
            let interfaces = parameters.wanted(of: item.interfaces.compactMap(NWInterface.init(name:)))
        else { return nil }
        self.interfaces = interfaces
        let domain = item.domain.isEmpty ? "local" : item.domain
        endpoint = .service(
            name: item.name, type: item.type, domain: domain.hasSuffix(".") ? domain : domain + ".",
            interface: interfaces.count == 1 ? interfaces.first : nil)
        metadata = includesTXT ? .bonjour(NWTXTRecord(values: item.txt)) : .none
        hostName = item.host.flatMap { $0.isEmpty ? nil : $0 }
        guard let port = UInt16(exactly: item.port), port > 0 else {
            resolvedEndpoints = []
            return
        }
        resolvedEndpoints = parameters.hosts(of: item.addresses).map {
            .hostPort(host: $0, port: NWEndpoint.Port(port))
        }
    }
}

extension NWParameters.Values {
    /// Returns the allowed interfaces; `nil` if interfaces are restricted and none is allowed.
    func wanted(of interfaces: [NWInterface]) -> [NWInterface]? {
        guard isRestricted else { return interfaces }
        let wanted = interfaces.filter(allows)
        return wanted.isEmpty ? nil : wanted
    }

    /// Parses the host's addresses, without those that are malformed or bound to a prohibited interface.
    func hosts(of addresses: [String]) -> [NWEndpoint.Host] {
        addresses.compactMap { text in
            let host: NWEndpoint.Host
            if let address = IPv4Address(text) {
                host = .ipv4(address)
            } else if let address = IPv6Address(text) {
                host = .ipv6(address)
            } else {
                return nil
            }
            return host.interface.map(allows) == false ? nil : host
        }
    }
}

extension NWBrowser.Result.Change {
    init(_ change: BrowseResults<NWBrowser.Result>.Change) {
        switch (change.old, change.new) {
        case (nil, nil): self = .identical
        case (nil, let new?): self = .added(new)
        case (let old?, nil): self = .removed(old)
        case (let old?, let new?):
            var flags = Flags.identical
            if !Set(new.interfaces).isSubset(of: old.interfaces) { flags.insert(.interfaceAdded) }
            if !Set(old.interfaces).isSubset(of: new.interfaces) { flags.insert(.interfaceRemoved) }
            if old.metadata != new.metadata { flags.insert(.metadataChanged) }
            if old.resolvedEndpoints != new.resolvedEndpoints { flags.insert(.addressesChanged) }
            self = .changed(old: old, new: new, flags: flags)
        }
    }
}

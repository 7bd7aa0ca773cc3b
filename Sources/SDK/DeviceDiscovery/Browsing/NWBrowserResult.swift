import HostInterface

extension NWBrowser {
    /// One service that was found. Equal if everything known of it is.
    public struct Result: Hashable, Sendable {
        /// What a service says about itself.
        public enum Metadata: Hashable, Sendable {
            /// Nothing was asked for.
            case none
            /// Its TXT record.
            case bonjour(NWTXTRecord)
        }

        /// The service by name.
        public let endpoint: NWEndpoint
        /// Where it was seen, in alphabetical order.
        public let interfaces: [NWInterface]
        /// Its TXT record, with a descriptor that asks for it.
        public let metadata: Metadata
        /// The service's addresses and port in order of preference; empty until they are known, and with a descriptor
        /// that asks for names only. Available on Linux only.
        public let resolvedEndpoints: [NWEndpoint]
        /// The host the service points at, such as `tv.local`: with the name, what stays when an address changes. `nil`
        /// until it is known, and with a descriptor that asks for names only. Available on Linux only.
        public let hostName: String?

        /// What happened to a result.
        public enum Change: Hashable, Sendable {
            /// Nothing.
            case identical
            /// It was found.
            case added(Result)
            /// It is gone.
            case removed(Result)
            /// It is another now; the flags say in what.
            case changed(old: Result, new: Result, flags: Flags)

            /// In what a result is another.
            public struct Flags: OptionSet, Hashable, Sendable {
                /// The bits of the set.
                public let rawValue: Int

                /// Makes a set from its bits.
                public init(rawValue: Int) { self.rawValue = rawValue }

                /// In nothing.
                public static let identical: Flags = []
                /// It is seen on one more interface.
                public static let interfaceAdded = Flags(rawValue: 1 << 0)
                /// It is not seen any more on an interface.
                public static let interfaceRemoved = Flags(rawValue: 1 << 1)
                /// It says something else about itself.
                public static let metadataChanged = Flags(rawValue: 1 << 2)
                /// Its addresses or port are others. Available on Linux only.
                public static let addressesChanged = Flags(rawValue: 1 << 3)
            }
        }
    }
}

extension NWBrowser.Result {
    /// Reads what the host sends; `nil` if it has no name, or is seen only where the parameters do not want it.
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
    /// The interfaces that are wanted; `nil` if there is none although it matters.
    func wanted(of interfaces: [NWInterface]) -> [NWInterface]? {
        guard isRestricted else { return interfaces }
        let wanted = interfaces.filter(allows)
        return wanted.isEmpty ? nil : wanted
    }

    /// Addresses as the host writes them, without those that are malformed or bound to an unwanted interface.
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

import AddressPolicy

extension FuzzTarget {
    /// Hosts that a device names: its address is 192.168.1.20.
    static let addressPolicy = FuzzTarget(
        name: "address-policy",
        seeds: {
            [
                "192.168.1.7", "2130706433", "0x7f.1", "0177.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a00:1",
                "8.8.8.8",
                "2002:7f00:1::", "3232235796", "fe80::1%lo", "::fff:1%lo",
            ].map { Array($0.utf8) }
        },
        words: [
            ".", ":", "::", "0x", "0", "127", "192.168.1.", "169.254.", "::ffff:", "64:ff9b::", "2002:", "%", "[", "]",
            "1",
            "255", "4294967295", "fd00:ec2::254",
        ],
        outcomes: ["name", "refused", "own network", "internet"]
    ) { bytes in
        let host = String(decoding: bytes, as: UTF8.self)
        let isNumeric = host.split(separator: ".").last?.first?.isNumber == true || NetworkAddress(host) != nil
        // Others would be asked of the resolver.
        guard isNumeric else { return "name" }
        let device = ["192.168.1.20"].compactMap { NetworkAddress($0) }
        let strict = AddressPolicy(device: device).resolve(host)
        let open = AddressPolicy(device: device, allowsInternet: true).resolve(host)
        try demand(AddressPolicy(device: []).resolve(host) == nil, "allowed without a device")
        for (text, mayBePublic) in [(strict, false), (open, true)] {
            guard let text else { continue }
            // Check every allowed address independently, by another formulation of the rules.
            guard let address = NetworkAddress(text) else { throw FuzzFailure(description: "\(text) is no address") }
            let isOwn = address.isIPv4 && address.text.hasPrefix("192.168.1.")
            try demand(isOwn || mayBePublic, "\(text) is elsewhere")
            guard !isOwn else { continue }
            let special = [
                "0.", "10.", "127.", "169.254.", "192.168.", "22", "23", "24", "25", "fc", "fd", "fe8", "ff", "::",
            ]
            let inside = special.first { address.text.hasPrefix($0) }
            let isLarge = address.isIPv4 ? (address.bytes.first ?? 0) < 224 : true
            try demand(
                inside == nil || (inside?.hasPrefix("2") == true && (!address.isIPv4 || isLarge)), "\(text) is special")
        }
        try demand(strict == nil || open != nil, "the wider policy is narrower")
        return strict != nil ? "own network" : open != nil ? "internet" : "refused"
    }
}

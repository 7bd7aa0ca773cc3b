@testable import SSDP

extension FuzzTarget {
    /// Datagrams of one sender on one interface, with `separator` between.
    static let ssdp = FuzzTarget(
        name: "ssdp", corpora: ["Tests/SSDPTests/Corpus"],
        words: [
            separator, "\r\n", "\n", ":", "uuid:", "%", "[", "]", "http://", "max-age=", " ", "\t", "ssdp:all",
            "[fe80::1]", "LOCATION: ", "USN: uuid:x\r\n", "BOOTID.UPNP.ORG: 4294967296\r\n", "NTS: ssdp:byebye\r\n",
            "NOTIFY * HTTP/1.1\r\n", "HTTP/1.1 200 OK\r\n",
        ],
        outcomes: ["alive", "byebye", "update", "response", "search", "refused"]
    ) { bytes in
        var cache = SSDPCache()
        var outcome = "refused"
        var now = ContinuousClock.now
        for datagram in bytes.split(separator: Array(separator.utf8), omittingEmptySubsequences: false).prefix(32) {
            now += .seconds(1)
            guard let message = try? SSDPMessage(parsing: datagram) else { continue }
            try demand(message.headers.count <= SSDPMessage.maximumHeaders, "too many headers")
            outcome = "\(message.kind)"
            guard message.kind != .search,
                let advertisement = try? SSDPAdvertisement(message, from: arrival)
            else { continue }
            try demand(SSDPAdvertisement.ages.contains(advertisement.maximumAge), "an age out of bounds")
            _ = cache.receive(advertisement, from: arrival, now: now)
            _ = cache.expire(now: now)
        }
        try check(cache)
        return outcome
    }

    private static let separator = "\n%%\n"
    private static let arrival = SSDPArrival(interface: "eth0", family: .ipv4, sender: "10.77.0.1")

    private static func check(_ cache: SSDPCache) throws {
        guard let everything = try? SSDPTarget("ssdp:all") else { return }
        try demand(cache.count <= SSDPCache.maximumItemsPerSender, "too many items")
        for item in cache.items(matching: everything) {
            try demand(item.location.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a location with \(item.location)")
            try demand((1...SSDPCache.maximumSightings).contains(item.addresses.count), "\(item.addresses)")
            let scalars = item.headers.values.joined().unicodeScalars
            try demand(scalars.allSatisfy { $0.value >= 0x20 || $0 == "\t" }, "a control character in a header")
        }
    }
}

import Testing

@testable import SSDP

struct SSDPCacheTests {
    private let start = ContinuousClock.now
    private static let renderer = "urn:schemas-upnp-org:device:MediaRenderer"

    /// An advertisement of a renderer; `nil` leaves a header out.
    private func advertisement(
        _ kind: SSDPMessage.Kind = .alive, udn: String = "uuid:a", target: String = renderer + ":1",
        location: String = "http://10.0.0.5:80/d.xml", age: Int? = 100, bootID: UInt32? = nil, next: UInt32? = nil,
        extra: String = ""
    ) throws -> SSDPAdvertisement {
        let kinds: [SSDPMessage.Kind: String] = [.alive: "alive", .byebye: "byebye", .update: "update"]
        var text = kinds[kind].map { "NOTIFY * HTTP/1.1\nNTS: ssdp:\($0)\nNT: " } ?? "HTTP/1.1 200 OK\nST: "
        text += "\(target)\nUSN: \(udn)::\(target)\nLOCATION: \(location)\n\(extra)\n"
        if let age { text += "CACHE-CONTROL: max-age=\(age)\n" }
        if let bootID { text += "BOOTID.UPNP.ORG: \(bootID)\n" }
        if let next { text += "NEXTBOOTID.UPNP.ORG: \(next)\n" }
        let arrival = SSDPArrival(interface: "eth0", family: .ipv4, sender: "10.0.0.5")
        return try SSDPAdvertisement(SSDPMessage(parsing: text.replacing("\n\n", with: "\n").utf8), from: arrival)
    }

    private func arrival(
        _ sender: String = "10.0.0.5", on interface: String = "eth0", _ family: SSDPFamily = .ipv4
    ) -> SSDPArrival {
        SSDPArrival(interface: interface, family: family, sender: sender)
    }

    private func word(_ change: SSDPChange?) -> String {
        switch change {
        case .found: "found"
        case .changed: "changed"
        case .lost: "lost"
        case nil: "nothing"
        }
    }

    @Test func lifeOfADevice() throws {
        var cache = SSDPCache()
        let found = cache.receive(try advertisement(), from: arrival(), now: start)
        #expect(word(found) == "found")
        #expect(found?.item.usn == "uuid:a::\(Self.renderer):1")
        #expect(found?.item.location == "http://10.0.0.5:80/d.xml")
        #expect(found?.item.addresses == ["10.0.0.5"])
        #expect(found?.item.interfaces == ["eth0"])
        let again = cache.receive(try advertisement(.response), from: arrival(), now: start + .seconds(1))
        #expect(again == nil)
        let gone = cache.receive(try advertisement(.byebye), from: arrival(), now: start + .seconds(2))
        #expect(word(gone) == "lost")
        let twice = cache.receive(try advertisement(.byebye), from: arrival(), now: start + .seconds(2))
        #expect(twice == nil)
        #expect(cache.count == 0)
    }

    @Test func expiresUnlessRefreshed() throws {
        var cache = SSDPCache()
        _ = cache.receive(try advertisement(age: 100), from: arrival(), now: start)
        #expect(cache.nextExpiry == start + .seconds(100))
        _ = cache.receive(try advertisement(age: 100), from: arrival(), now: start + .seconds(60))
        let early = cache.expire(now: start + .seconds(100))
        #expect(early.isEmpty)
        let late = cache.expire(now: start + .seconds(160))
        #expect(late.map(word) == ["lost"])
        #expect(cache.nextExpiry == nil)
    }

    @Test func newLocationOfTheSameHostReplacesTheOld() throws {
        var cache = SSDPCache()
        _ = cache.receive(try advertisement(), from: arrival(), now: start)
        let moved = cache.receive(try advertisement(location: "http://10.0.0.5:81/d.xml"), from: arrival(), now: start)
        #expect(word(moved) == "changed")
        #expect(moved?.item.location == "http://10.0.0.5:81/d.xml")
        #expect(moved?.item.addresses == ["10.0.0.5"])
    }

    @Test func newAddressIsTriedFirstAndTheOldOneExpires() throws {
        var cache = SSDPCache()
        _ = cache.receive(try advertisement(age: 100), from: arrival(), now: start)
        let moved = cache.receive(
            try advertisement(location: "http://10.0.0.9:80/d.xml", age: 100), from: arrival("10.0.0.9"),
            now: start + .seconds(50))
        #expect(moved?.item.addresses == ["10.0.0.9", "10.0.0.5"])
        let expired = cache.expire(now: start + .seconds(100))
        #expect(expired.first?.item.addresses == ["10.0.0.9"])
        #expect(expired.map(word) == ["changed"])
    }

    @Test func rebootIsAChangeAndUpdateIsToo() throws {
        var cache = SSDPCache()
        _ = cache.receive(try advertisement(bootID: 1), from: arrival(), now: start)
        let rebooted = cache.receive(try advertisement(bootID: 2), from: arrival(), now: start)
        #expect(word(rebooted) == "changed")
        #expect(rebooted?.item.bootID == 2)
        let updated = cache.receive(try advertisement(.update, bootID: 2, next: 3), from: arrival(), now: start)
        #expect(updated?.item.bootID == 3)
        let alive = cache.receive(try advertisement(bootID: 3), from: arrival(), now: start)
        #expect(alive == nil)
    }

    @Test func rebootForgetsTheOtherAddressesOfTheOldLife() throws {
        var cache = SSDPCache()
        let second = "http://10.0.0.6:80/d.xml"
        _ = cache.receive(try advertisement(bootID: 1), from: arrival(), now: start)
        _ = cache.receive(try advertisement(location: second, bootID: 1), from: arrival("10.0.0.6"), now: start)
        let rebooted = cache.receive(try advertisement(bootID: 2), from: arrival(), now: start)
        #expect(rebooted?.item.addresses == ["10.0.0.5"])
    }

    @Test func addressesWithCountersOfTheirOwnDoNotFlap() throws {
        var cache = SSDPCache()
        let second = "http://10.0.0.6:80/d.xml"
        _ = cache.receive(try advertisement(bootID: 100), from: arrival(), now: start)
        _ = cache.receive(try advertisement(location: second, bootID: 101), from: arrival("10.0.0.6"), now: start)
        for _ in 0..<5 {
            let one = cache.receive(try advertisement(bootID: 100), from: arrival(), now: start)
            let two = cache.receive(
                try advertisement(location: second, bootID: 101), from: arrival("10.0.0.6"), now: start)
            #expect(one == nil && two == nil)
        }
    }

    @Test func severalInterfacesAndFamiliesAreOneItem() throws {
        var cache = SSDPCache()
        let linkLocal = "http://[fe80::5]:80/d.xml"
        let global = "http://[fd77::5]:80/d.xml"
        _ = cache.receive(
            try advertisement(location: linkLocal), from: arrival("fe80::5", on: "eth0", .ipv6), now: start)
        _ = cache.receive(try advertisement(location: global), from: arrival("fe80::5", on: "eth0", .ipv6), now: start)
        _ = cache.receive(try advertisement(), from: arrival(), now: start)
        let all = cache.receive(
            try advertisement(location: "http://192.168.7.5/"), from: arrival("192.168.7.5", on: "wlan0"), now: start)
        #expect(cache.count == 1)
        #expect(all?.item.interfaces == ["eth0", "wlan0"])
        #expect(all?.item.addresses == ["192.168.7.5", "10.0.0.5", "fd77::5", "fe80::5%eth0"])
        let oneGone = cache.forget(interface: "wlan0")
        #expect(oneGone.first?.item.interfaces == ["eth0"])
        let byebye = cache.receive(try advertisement(.byebye), from: arrival(), now: start)
        #expect(word(byebye) == "changed")
        #expect(byebye?.item.location == global)
        let unknownSender = cache.receive(
            try advertisement(.byebye), from: arrival("fd77::5", on: "eth0", .ipv6), now: start)
        #expect(unknownSender?.item.addresses == ["fe80::5%eth0"])
        let rest = cache.forget(interface: "eth0")
        #expect(rest.map(word) == ["lost"])
        #expect(rest.first?.item.location == "http://[fe80::5%25eth0]:80/d.xml")
    }

    @Test func byebyeOfAnUnknownAddressSpeaksForItsInterface() throws {
        var cache = SSDPCache()
        _ = cache.receive(try advertisement(), from: arrival(), now: start)
        let other = cache.receive(try advertisement(.byebye), from: arrival("1.2.3.4", on: "wlan0"), now: start)
        #expect(other == nil)
        let own = cache.receive(try advertisement(.byebye), from: arrival("10.0.0.77"), now: start)
        #expect(word(own) == "lost")
    }

    @Test func headersOfAnswersAndAnnouncementsAddUpWithoutFlapping() throws {
        var cache = SSDPCache()
        _ = cache.receive(try advertisement(extra: "SERVER: x\nX-USER-AGENT: redsonic"), from: arrival(), now: start)
        let answer = cache.receive(
            try advertisement(.response, extra: "SERVER: x\nEXT:\nDATE: now"), from: arrival(), now: start)
        #expect(answer == nil)
        let items = cache.items(matching: try SSDPTarget("ssdp:all"))
        #expect(items.first?.headers == ["SERVER": "x", "X-USER-AGENT": "redsonic"])
    }

    @Test func versionsOfOneDeviceAreOneItem() throws {
        var cache = SSDPCache()
        let wanted = try SSDPTarget(Self.renderer + ":1")
        let answer = cache.receive(try advertisement(.response), from: arrival(), now: start)
        let alive = cache.receive(try advertisement(target: Self.renderer + ":2"), from: arrival(), now: start)
        #expect(cache.count == 1)
        #expect(answer?.seen(by: wanted)?.item == alive?.seen(by: wanted)?.item)
        #expect(alive?.item.usn == "uuid:a::\(Self.renderer):2")
        #expect(alive?.seen(by: wanted)?.item.usn == "uuid:a::\(Self.renderer):1")
        #expect(alive?.seen(by: try SSDPTarget(Self.renderer + ":3")) == nil)
        #expect(cache.items(matching: try SSDPTarget(Self.renderer + ":2")).count == 1)
    }

    @Test func differentServicesOfADeviceAreItemsOfTheirOwn() throws {
        var cache = SSDPCache()
        for target in ["upnp:rootdevice", "uuid:a", Self.renderer + ":1"] {
            let change = cache.receive(try advertisement(target: target), from: arrival(), now: start)
            #expect(word(change) == "found")
        }
        #expect(cache.items(matching: try SSDPTarget("upnp:rootdevice")).count == 1)
        #expect(cache.items(matching: try SSDPTarget("ssdp:all")).count == 3)
    }

    @Test func floodIsBounded() throws {
        var cache = SSDPCache()
        for number in 0..<6_000 {
            let item = try advertisement(udn: "uuid:\(number)")
            _ = cache.receive(item, from: arrival("10.0.\(number / 100 % 100).5"), now: start)
        }
        #expect(cache.count == SSDPCache.maximumItems)
        #expect(cache.refused == 6_000 - SSDPCache.maximumItems)
        let expired = cache.expire(now: start + .seconds(100))
        #expect(expired.count == SSDPCache.maximumItems)
        for number in 0..<1_000 {
            _ = cache.receive(try advertisement(udn: "uuid:\(number)"), from: arrival(), now: start)
        }
        #expect(cache.count == SSDPCache.maximumItemsPerSender)
    }

    @Test func addressesOfAnItemAreBounded() throws {
        var cache = SSDPCache()
        for number in 1...100 {
            let item = try advertisement(location: "http://10.0.1.\(number)/")
            _ = cache.receive(item, from: arrival(), now: start)
        }
        let items = cache.items(matching: try SSDPTarget("ssdp:all"))
        #expect(items.first?.addresses.count == SSDPCache.maximumSightings)
    }

    @Test func senderHasALimitedShareOfDatagrams() {
        var limiter = SSDPRateLimiter(rate: 10, burst: 20)
        let admitted = (0..<100).count { _ in limiter.admit("10.0.0.1", now: start) }
        #expect(admitted == 20)
        let other = limiter.admit("10.0.0.2", now: start)
        #expect(other)
        let later = (0..<100).count { _ in limiter.admit("10.0.0.1", now: start + .seconds(1)) }
        #expect(later == 10)
        for number in 0..<5_000 { _ = limiter.admit("s\(number)", now: start + .seconds(1)) }
        #expect(limiter.senders <= SSDPRateLimiter.maximumSenders + 1)
    }
}

import Foundation
import Testing

@testable import SSDP

/// Recorded and hostile datagrams, as they are and mutated.
struct SSDPCorpusTests {
    private static func corpus() throws -> [(name: String, bytes: [UInt8])] {
        let folder = try #require(Bundle.module.url(forResource: "Corpus", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.lastPathComponent < $1.lastPathComponent }.map {
            ($0.deletingPathExtension().lastPathComponent, Array(try Data(contentsOf: $0)))
        }
    }

    private static let arrival = SSDPArrival(interface: "eth0", family: .ipv4, sender: "10.77.0.1")

    private static func outcome(_ bytes: [UInt8]) -> String {
        do throws(SSDPError) {
            let message = try SSDPMessage(parsing: bytes)
            if message.kind == .search { return "search \(message.headers["ST"] ?? "")" }
            let advertisement = try SSDPAdvertisement(message, from: arrival)
            return "\(advertisement.kind) \(advertisement.udn) \(advertisement.maximumAge / .seconds(1))"
        } catch {
            return "\(error)"
        }
    }

    @Test func everyFileIsReadAsExpected() throws {
        let expected = [
            "hostile-blank-lines": "unknownStartLine",
            "hostile-empty": "unknownStartLine",
            "hostile-escape-sequence": "malformedHeader(line: 3)",
            "hostile-file-location": "invalidHeader(\"LOCATION\")",
            "hostile-huge-numbers": "response uuid:huge 86400.0",
            "hostile-loopback-location": "invalidHeader(\"LOCATION\")",
            "hostile-many-headers": "tooManyHeaders(65)",
            "hostile-noise": "unknownStartLine",
            "hostile-nul-name": "malformedHeader(line: 2)",
            "hostile-too-long": "tooLong(9029)",
            "notify-alive-ipv6": "alive uuid:e2b0ce0d-e0c8-4bd0-9e8e-1f5c4a4b9c11 1800.0",
            "notify-alive-libupnp": "alive uuid:12345678-1234-1234-1234-123456789abc 100.0",
            "notify-byebye-libupnp": "byebye uuid:12345678-1234-1234-1234-123456789abc 100.0",
            "notify-odd-case-no-end": "alive UUID:ABC 60.0",
            "notify-update": "update uuid:4d696e69-444c-164e-9d41-000c29c1a2b3 1800.0",
            "response-folded-and-body": "response uuid:fold 1800.0",
            "response-gssdp": "response uuid:e2b0ce0d-e0c8-4bd0-9e8e-1f5c4a4b9c11 1800.0",
            "response-lf-only": "response uuid:RINCON_000E58AABBCC01400 3600.0",
            "response-roku": "response uuid:roku:ecp:P0A070000007 3600.0",
            "search-vlc": "search urn:schemas-upnp-org:device:MediaRenderer:1",
        ]
        let outcomes = try Self.corpus().map { ($0.name, Self.outcome($0.bytes)) }
        #expect(Dictionary(uniqueKeysWithValues: outcomes) == expected)
    }

    /// Every mutant is either refused with a typed error or becomes an item within all bounds.
    @Test func mutantsNeverBreakTheCodecOrTheCache() throws {
        let seeds = try Self.corpus().map(\.bytes)
        var generator = Mutations(state: 0x5eed)
        var cache = SSDPCache()
        var now = ContinuousClock.now
        var accepted = 0
        let everything = try SSDPTarget("ssdp:all")
        for _ in 0..<20_000 {
            let bytes = generator.mutant(of: seeds)
            now += .milliseconds(Int(generator.next() % 2_000))
            do throws(SSDPError) {
                let message = try SSDPMessage(parsing: bytes)
                #expect(message.headers.count <= SSDPMessage.maximumHeaders)
                guard message.kind != .search else { continue }
                let advertisement = try SSDPAdvertisement(message, from: Self.arrival)
                #expect(SSDPAdvertisement.ages.contains(advertisement.maximumAge))
                accepted += 1
                _ = cache.receive(advertisement, from: Self.arrival, now: now)
                _ = cache.expire(now: now)
            } catch {}
        }
        #expect(accepted > 1_000, "mutations that only ever break the first line test nothing")
        #expect(cache.count <= SSDPCache.maximumItemsPerSender)
        for item in cache.items(matching: everything) {
            #expect(item.location.utf8.allSatisfy { (0x21...0x7e).contains($0) })
            #expect((1...SSDPCache.maximumSightings).contains(item.addresses.count))
            #expect(item.headers.values.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\t" } })
        }
    }
}

/// A deterministic source of broken datagrams (SplitMix64).
private struct Mutations: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    private static let fragments = [
        "\r\n", "\n", "\r", ":", "::", "uuid:", "%", "[", "]", "http://", "max-age=", " ", "\t", "\0", "-1", "65536",
        "ssdp:all", "[fe80::1]", "LOCATION: ", "USN: uuid:x\r\n", "BOOTID.UPNP.ORG: 4294967296\r\n",
    ].map { Array($0.utf8) }

    mutating func mutant(of seeds: [[UInt8]]) -> [UInt8] {
        var bytes = seeds.randomElement(using: &self) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            let at = Int.random(in: 0...bytes.count, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0 where !bytes.isEmpty: bytes[at % bytes.count] = UInt8.random(in: 0 ... .max, using: &self)
            case 1: bytes.insert(contentsOf: Self.fragments.randomElement(using: &self) ?? [], at: at)
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0...20, using: &self)))
            case 3: bytes.removeLast(bytes.count - at)
            case 4:
                let other = seeds.randomElement(using: &self) ?? []
                bytes.append(contentsOf: other.suffix(Int.random(in: 0...other.count, using: &self)))
            default: bytes.insert(contentsOf: bytes.prefix(at).suffix(40), at: at)
            }
        }
        return bytes
    }
}

import Foundation
import Testing

@testable import SSDP

/// Recorded and hostile datagrams; FuzzTests take them with all their mutants.
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
}

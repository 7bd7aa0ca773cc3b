import DLNAProtocol
import Foundation
import Testing

/// Damages every recorded document in many ways: each parser answers or throws its own error, and never takes long.
struct MutationTests {
    private static let roundsPerDocument = 60

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static let pieces = [
        "<", ">", "&", "\"", "/>", "</", "<!DOCTYPE x>", "<![CDATA[", "]]>", "&#x110000;", "&lt;", "xmlns=''", "-1",
        "99999999999999999999", "\0", "\u{FFFD}", "http://evil.example/", "val=\"0\"", "<InstanceID val='0'>", ":",
        "::",
    ]

    private func mutate(_ bytes: [UInt8], _ generator: inout Generator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0 where index < bytes.count: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...64, using: &generator)))
            case 2: bytes.insert(contentsOf: Self.pieces.randomElement(using: &generator)!.utf8, at: index)
            case 3: bytes.insert(contentsOf: bytes[..<min(index, 300)], at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }

    private func parseEverything(_ bytes: [UInt8]) throws(DLNAError) {
        var failure: DLNAError?
        func attempt(_ body: () throws(DLNAError) -> Void) {
            do { try body() } catch { failure = error }
        }
        attempt { () throws(DLNAError) in
            let location = URL(string: "http://10.77.0.1:49494/description.xml")!
            for renderer in try RendererDescription.renderers(in: bytes, location: location) {
                for service in [renderer.transport, renderer.connections] + (renderer.rendering.map { [$0] } ?? []) {
                    #expect(service.controlURL.host() == "10.77.0.1")
                }
            }
        }
        attempt { () throws(DLNAError) in
            let description = try ServiceDescription(parsing: bytes)
            if let range = description.volumeRange {
                let scale = VolumeScale(range)
                #expect((0...1).contains(scale.level(of: 7)))
                #expect((range.minimum...range.maximum).contains(scale.raw(of: 0.7)))
            }
        }
        attempt { () throws(DLNAError) in
            for action in ["GetProtocolInfo", "GetPositionInfo", "GetTransportInfo", "GetVolume", "GetMute"] {
                guard case .success(let values) = try SOAPResponse(parsing: bytes, action: action) else { return }
                _ = PositionInfo(values)
                _ = try? ConnectionManager.formats(in: values).summary(like: "audio/mpeg")
            }
        }
        attempt { () throws(DLNAError) in
            for value in try PropertySet(parsing: bytes).values.values {
                guard let change = try? LastChange(parsing: value) else { continue }
                var tracker = PlaybackTracker(uri: "http://10.77.0.2:8099/tone.mp3", now: 0)
                tracker.playAccepted(at: 0)
                _ = tracker.apply(TransportChange(change), at: 2)
                _ = RenderingChange(change)
                if let metadata = TransportChange(change).metadata { _ = try? MediaItem(parsing: metadata) }
            }
        }
        if let failure { throw failure }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["gmediarender", "rygel", "made-up", "hostile"])
    func survivesDamage(folder: String) throws {
        var generator = Generator(state: 20_261_121)
        var documents = 0
        var refused = 0
        for path in try Fixtures.paths(under: folder) {
            let bytes = try Fixtures.bytes(path)
            for _ in 0..<Self.roundsPerDocument {
                documents += 1
                do { try parseEverything(mutate(bytes, &generator)) } catch { refused += 1 }
            }
        }
        #expect(documents >= 100)
        #expect(refused > 0)
    }

    @Test func survivesDamagedHeadersAndTimes() {
        var generator = Generator(state: 7)
        let texts = [
            "0:00:30.040", "Second-1800", "uuid:1::urn:schemas-upnp-org:device:MediaRenderer:1",
            "http-get:*:audio/L16;rate=44100:DLNA.ORG_OP=01", "upnp:propchange", "4294967295",
        ]
        for _ in 0..<4000 {
            let text = String(
                decoding: mutate(Array(texts.randomElement(using: &generator)!.utf8), &generator), as: UTF8.self)
            if let seconds = MediaTime.seconds(text) { #expect(MediaTime.text(seconds).contains(":")) }
            if let timeout = try? SubscriptionGrant(identifierHeader: "uuid:1", timeoutHeader: text).timeout {
                #expect(timeout >= .seconds(2) && timeout <= .seconds(86_400))
            }
            if let urn = URN(text) { #expect(URN(urn.description) == urn) }
            _ = UniqueServiceName(text)
            _ = SinkFormats(text).answer(for: text)
            _ = try? EventHeaders(type: "upnp:event", subtype: text, identifier: text, sequence: text)
        }
    }
}

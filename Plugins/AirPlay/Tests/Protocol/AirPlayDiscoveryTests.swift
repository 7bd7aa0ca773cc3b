import AirPlayProtocol
import Testing

struct AirPlayDiscoveryTests {
    /// As shairport-sync 3.3.8 announces itself.
    static let shairport = [
        "sf": "0x4", "am": "ShairportSync", "vs": "105.1", "tp": "TCP,UDP", "vn": "65537", "md": "0,1,2", "ss": "16",
        "sr": "44100", "da": "true", "sv": "false", "et": "0,1", "ek": "1", "cn": "0,1", "ch": "2", "txtvers": "1",
        "pw": "false",
    ]
    /// As Debian's UxPlay 1.62 announces itself: FairPlay, MFi and video.
    static let uxplay = [
        "ch": "2", "cn": "0,1,2,3", "da": "true", "et": "0,3,5", "vv": "2", "ft": "0x5A7FFEE6", "am": "AppleTV3,2",
        "md": "0,1,2", "rhd": "5.6.0.0", "pw": "false", "sr": "44100", "ss": "16", "sv": "false", "tp": "UDP",
        "txtvers": "1", "sf": "0x4", "vs": "220.68", "vn": "65537", "pk": "b07727d6f6cd6e08b58ede525ec3cdeaa252ad9f",
    ]

    private func audio(_ name: String, _ text: [String: String], id: String = "AABBCCDDEEFF") throws -> AirPlayRecord {
        try #require(AirPlayRecord(.audio, instance: "\(id)@\(name)", text: text))
    }

    private func control(_ name: String, _ text: [String: String]) throws -> AirPlayRecord {
        try #require(
            AirPlayRecord(.control, instance: name, text: ["deviceid": "AA:BB:CC:DD:EE:FF"].merging(text) { $1 }))
    }

    @Test func readsFeaturesOfOneAndTwoWords() {
        #expect(AirPlayFeatures(text: "0x5A7FFFF7,0x1E")?.rawValue == 0x1E_5A7F_FFF7)
        #expect(AirPlayFeatures(text: "0x1E5A7FFFF7")?.rawValue == 0x1E_5A7F_FFF7)
        #expect(AirPlayFeatures(text: "0x5A7FFFF7,0x1E")?.contains(.coreUtilsPairing) == false)
        #expect(AirPlayFeatures(text: "0x0,0x40")?.contains(.coreUtilsPairing) == true)
    }

    @Test(arguments: ["", "0x", "-1", "+5", "0x1,0x2,0x3", "0x100000000,0x1", "nonsense", ",", "0x5A7FFFF7,"])
    func takesNoOtherTextForFeatures(text: String) { #expect(AirPlayFeatures(text: text) == nil) }

    @Test func knowsAReceiverByItsIdentifierOnly() {
        #expect(AirPlayIdentifier("aa:bb:cc:dd:ee:ff") == AirPlayIdentifier("AABBCCDDEEFF"))
        #expect(AirPlayIdentifier("AA-BB-CC-DD-EE-FF")?.stableText == "airplay:AABBCCDDEEFF")
        for wrong in ["", "AABBCCDDEEF", "AABBCCDDEEFG", "000000000000", "AABBCCDDEEFF00", "１ABBCCDDEEFF"] {
            #expect(AirPlayIdentifier(wrong) == nil, "\(wrong)")
        }
    }

    @Test func readsAnAudioService() throws {
        let record = try audio("Shair Room", Self.shairport)
        #expect(record.name == "Shair Room")
        #expect(record.codecs == [.pcm, .lossless])
        #expect(record.encryptions == [.none, .rsa])
        #expect(record.metadata == [.text, .artwork, .progress])
        #expect(record.features == nil)
        #expect(AirPlayRecord(.audio, instance: "Shair Room", text: Self.shairport) == nil)
        #expect(AirPlayRecord(.control, instance: "Shair Room", text: [:]) == nil)
    }

    @Test func aSpeakerWithoutProtectionTakesAudio() throws {
        let facts = try #require(AirPlayReceiverFacts([try audio("Shair Room", Self.shairport)]))
        #expect(facts.protection == .none)
        #expect(facts.audioObstacle == nil)
        #expect(facts.kind == .speaker)
    }

    @Test func aPasswordIsNoCode() throws {
        let locked = try audio("Locked", Self.shairport.merging(["pw": "true"]) { $1 })
        #expect(AirPlayReceiverFacts([locked])?.protection == .password)
        let flagged = try audio("Locked", Self.shairport.merging(["sf": "0x84"]) { $1 })
        #expect(AirPlayReceiverFacts([flagged])?.protection == .password)
    }

    /// An AirPlay 1 receiver has no pairing, so it can't require a code.
    @Test func aReceiverWithoutPairingHasNoCode() throws {
        let record = try audio("Old", Self.shairport.merging(["sf": "0x20c"]) { $1 })
        let facts = try #require(AirPlayReceiverFacts([record]))
        #expect(facts.protection == .none)
        #expect(facts.audioObstacle == nil)
    }

    @Test func pairingIsTheKindTheFeaturesName() throws {
        let legacy = try control("TV", ["features": "0x5A7FFFF7", "flags": "0x8"])
        #expect(AirPlayReceiverFacts([legacy])?.protection == .legacyCode)
        let old = try #require(AirPlayReceiverFacts([legacy, try audio("TV", Self.shairport)]))
        #expect(old.audioObstacle == nil)
        let modern = try control("TV", ["features": "0x4A7FDFD5,0xBC157FDE", "flags": "0x208"])
        #expect(AirPlayReceiverFacts([modern])?.protection == .homeKitCode)
        #expect(AirPlayReceiverFacts([modern])?.audioObstacle == .announcesNoAudio)
        let both = try #require(AirPlayReceiverFacts([modern, try audio("TV", Self.shairport)]))
        #expect(both.audioObstacle == .needsPairing)
    }

    /// Kodi's control service, and that of a receiver that mirrors screens only.
    @Test func whoPlaysVideoTakesAddresses() throws {
        let kodi = try control("Kodi", ["features": "0x77", "model": "Kodi,1"])
        let facts = try #require(AirPlayReceiverFacts([kodi]))
        #expect(facts.playsAddresses && facts.protection == .none && facts.audioObstacle == .announcesNoAudio)
        let mirror = try control("UxPlay", ["features": "0x5A7FFEE6,0x0"])
        #expect(AirPlayReceiverFacts([mirror])?.playsAddresses == false)
        var catalogue = AirPlayCatalogue()
        let changes = catalogue.update(
            [
                AirPlayCatalogue.Sighting(record: kodi, endpoints: ["10.0.0.5:36667"]),
                AirPlayCatalogue.Sighting(
                    record: try audio("Mirror", Self.shairport.merging(["et": "3"]) { $1 }, id: "112233445566"),
                    endpoints: ["10.0.0.6:7000"]),
            ], at: 0)
        guard case .found(let receiver)? = changes.first, changes.count == 1 else {
            Issue.record("\(changes)")
            return
        }
        #expect(receiver.endpoints == ["10.0.0.5:36667"] && receiver.audioEndpoints.isEmpty)
    }

    @Test func anEncryptedControlConnectionIsWantedByItsBit() throws {
        let speaker = try control("Speaker", ["features": "0x445F8A01,0x1C340", "flags": "0x4"])
        #expect(AirPlayReceiverFacts([speaker])?.wantsTransientPairing == true)
        let television = try control("TV", ["features": "0x445F8A01,0x1C340", "flags": "0x208"])
        #expect(AirPlayReceiverFacts([television])?.wantsTransientPairing == false)
    }

    @Test func tellsWhyAReceiverTakesNoAudio() throws {
        let cases: [([String: String], AirPlayReceiverFacts.Obstacle)] = [
            (["et": "3,5"], .needsEncryption), (["cn": "0,2"], .needsOtherCodec), (["tp": "TCP"], .needsOtherTransport),
            (["sr": "48000"], .needsOtherFormat), (["ch": "1"], .needsOtherFormat),
        ]
        for (change, obstacle) in cases {
            let record = try audio("Speaker", Self.shairport.merging(change) { $1 })
            #expect(AirPlayReceiverFacts([record])?.audioObstacle == obstacle)
        }
    }

    @Test func soundIsEncryptedOnlyWhereItHasToBe() throws {
        for (encryptions, isWanted) in [("0", false), ("0,1", false), ("1", true), ("1,3", true)] {
            let record = try audio("Speaker", Self.shairport.merging(["et": encryptions]) { $1 })
            let facts = try #require(AirPlayReceiverFacts([record]))
            #expect(facts.audioObstacle == nil && facts.wantsEncryptedAudio == isWanted, "\(encryptions)")
        }
    }

    @Test func screensAreTelevisions() throws {
        let record = try audio("UxPlay", Self.uxplay)
        #expect(AirPlayReceiverFacts([record])?.kind == .mediaBox)
        let unknown = try audio("TV", Self.uxplay.merging(["am": "XTV"]) { $1 })
        #expect(AirPlayReceiverFacts([unknown])?.kind == .television)
    }

    @Test func mergesTheServicesOfAReceiverAndNoOthers() throws {
        var catalogue = AirPlayCatalogue()
        let first = AirPlayCatalogue.Sighting(
            record: try audio("Kitchen", Self.shairport.filter { $0.key != "am" }), endpoints: ["10.0.0.5:5000"])
        let second = AirPlayCatalogue.Sighting(
            record: try control("Kitchen", ["features": "0x5A7FFFF7"]), endpoints: ["10.0.0.5:7000"])
        let other = AirPlayCatalogue.Sighting(
            record: try audio("Kitchen", Self.shairport, id: "112233445566"), endpoints: ["10.0.0.5:5010"])
        let changes = catalogue.update([first, second, other], at: 7)
        #expect(changes.count == 1)
        let later = catalogue.update([first, second, other], at: 8)
        guard case .found(let neighbour)? = later.first, case .found(let merged)? = changes.last else {
            Issue.record("\(changes), \(later)")
            return
        }
        #expect(neighbour.endpoints == ["10.0.0.5:5010"])
        #expect(merged.audioEndpoints == ["10.0.0.5:5000"] && merged.videoEndpoints == ["10.0.0.5:7000"])
        #expect(merged.endpoints == ["10.0.0.5:5000", "10.0.0.5:7000"])
        #expect(merged.facts.kind == .television)
    }

    /// A receiver that is only known to accept audio couldn't open a file.
    @Test func awaitsTheOtherServiceForAMoment() throws {
        var catalogue = AirPlayCatalogue()
        let sound = AirPlayCatalogue.Sighting(
            record: try audio("Kodi", Self.shairport), endpoints: ["10.0.0.5:36666"])
        let screen = AirPlayCatalogue.Sighting(
            record: try control("Kodi", ["features": "0x77"]), endpoints: ["10.0.0.5:36667"])
        #expect(catalogue.update([sound], at: 7).isEmpty && catalogue.nextUpdate == 7.25)
        #expect(catalogue.update([sound], at: 7.2).isEmpty && catalogue.nextUpdate == 7.25)
        var both = catalogue
        guard case .found(let receiver)? = both.update([sound, screen], at: 7.2).first else {
            Issue.record("not found")
            return
        }
        #expect(receiver.facts.playsAddresses && both.nextUpdate == nil)
        #expect(catalogue.update([sound], at: 7.25).count == 1 && catalogue.nextUpdate == nil)
        guard case .updated? = catalogue.update([sound, screen], at: 9).first else {
            Issue.record("not updated")
            return
        }
    }

    /// Discoveries in close succession must not delay an awaited service forever.
    @Test func whoLooksAgainAndAgainAwaitsNothingAnew() throws {
        var catalogue = AirPlayCatalogue()
        let sound = AirPlayCatalogue.Sighting(
            record: try audio("Kodi", Self.shairport), endpoints: ["10.0.0.5:36666"])
        var changes = catalogue.update([sound], at: 7)
        for tenth in 1...3 {
            #expect(changes.isEmpty)
            catalogue.findAgain()
            _ = catalogue.update([], at: 7 + Double(tenth) / 10)
            changes = catalogue.update([sound], at: 7 + Double(tenth) / 10)
        }
        #expect(changes.count == 1 && catalogue.nextUpdate == nil)
        catalogue.findAgain()
        #expect(catalogue.update([sound], at: 7.4) == changes, "known ones are told at once")
        _ = catalogue.update([], at: 8)
        #expect(catalogue.update([sound], at: 9).count == 1)
        _ = catalogue.update([], at: 10)
        #expect(catalogue.update([sound], at: 71).isEmpty && catalogue.nextUpdate == 71.25, "as good as new")
    }

    @Test func tellsWhatChanged() throws {
        var catalogue = AirPlayCatalogue()
        var sighting = AirPlayCatalogue.Sighting(
            record: try audio("Kitchen", Self.shairport), endpoints: ["10.0.0.5:5000"])
        #expect(catalogue.update([sighting], at: 0).isEmpty && catalogue.update([sighting], at: 1).count == 1)
        #expect(catalogue.update([sighting], at: 2).isEmpty)
        sighting.endpoints = ["10.0.0.6:5000"]
        guard case .updated(let moved)? = catalogue.update([sighting], at: 2).first else {
            Issue.record("not updated")
            return
        }
        #expect(moved.endpoints == ["10.0.0.6:5000"])
        sighting.record = try audio("Kitchen", Self.shairport.merging(["et": "4"]) { $1 })
        guard case .lost? = catalogue.update([sighting], at: 2).first else {
            Issue.record("not lost")
            return
        }
        #expect(Array(catalogue.unusable.values) == [.needsEncryption])
        sighting.endpoints = []
        #expect(catalogue.update([sighting], at: 2).isEmpty)
        #expect(catalogue.unusable.isEmpty)
    }
}

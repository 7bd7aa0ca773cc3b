import MPDProtocol
import Testing

struct MPDIdentityTests {
    @Test(arguments: [
        ("MPD Room[28]", "MPD Room"), ("Kitchen [812]", "Kitchen"), ("Kitchen #2", "Kitchen"),
        ("Music Player @ pi[7] #2", "Music Player @ pi"), ("Music Player @ pi #2[7]", "Music Player @ pi"),
        ("Channel #hits", "Channel #hits"), ("Room[a]", "Room[a]"), ("[12]", "[12]"), ("#2", "#2"), ("A#2", "A#2"),
        ("Küche 🎵[1]", "Küche 🎵"), ("", ""), ("Room[]", "Room[]"), ("Room[99999999999]", "Room[99999999999]"),
    ])
    func removesWhatTheServerAndTheNetworkAdded(service: String, name: String) {
        #expect(MPDIdentity.configuredName(service) == name)
    }

    @Test func isTheSameAfterARestart() {
        let before = MPDIdentity(service: "Room[28]", host: "Pi.local.", port: 6600)
        let after = MPDIdentity(service: "Room[4711]", host: "pi.local", port: 6600)
        #expect(before == after)
        #expect(before.stableText == "mpd:Room\u{0}pi.local\u{0}6600")
    }

    @Test(arguments: [
        MPDIdentity(service: "Room", host: "pi.local", port: 6601),
        MPDIdentity(service: "Room", host: "b.local", port: 6600),
        MPDIdentity(service: "Hall", host: "pi.local", port: 6600),
    ])
    func tellsServersApart(other: MPDIdentity) {
        #expect(other.stableText != MPDIdentity(service: "Room", host: "pi.local", port: 6600).stableText)
    }

    @Test func tellsTwinsApart() {
        let room = MPDIdentity(service: "Room[28]", host: "pi.local", port: 6600)
        let hall = MPDIdentity(service: "Hall[3]", host: "pi.local", port: 6601)
        let twin = MPDIdentity(service: "Hall[9]", host: "nas.local", port: 6600)
        let third = MPDIdentity(service: "Hall", host: "pi.local", port: 6602)
        #expect(MPDIdentity.displayNames([room, hall]) == [room: "Room", hall: "Hall"])
        #expect(MPDIdentity.displayNames([hall, twin]) == [hall: "Hall (pi)", twin: "Hall (nas)"])
        #expect(
            MPDIdentity.displayNames([hall, twin, third]) == [
                hall: "Hall (pi:6601)", twin: "Hall (nas)", third: "Hall (pi:6602)",
            ])
    }
}

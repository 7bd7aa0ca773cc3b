import Foundation
import HostInterface
import Testing

@testable import HostCore
@testable import HostState

@Suite(.timeLimit(.minutes(1))) struct WishesTests {
    private let state = TemporaryState()

    @Test func namesAndAddedDevicesSurviveReopening() async throws {
        let item = BrowseItem(name: "Room", type: "_mpd._tcp", domain: "local", addresses: ["10.0.0.5"], port: 6_600)
        let devices = try ["10.0.0.9", "tv.lan:80"].map { text in
            ManualDevice(
                address: try ManualAddress(text, protocolName: "MPD"),
                findings: [.init(kind: .bonjour, type: "_mpd._tcp", item: item)])
        }
        let store = try state.open(now: Date())
        try await store.setOwnName("Küche", device: "A")
        try await store.setOwnName("Bad", device: "B")
        try await store.setOwnName("Kitchen", device: "A")
        try await store.setManualDevices(devices)
        try store.close()

        let again = try state.open(now: Date())
        #expect(try await again.ownNames() == ["A": "Kitchen", "B": "Bad"])
        #expect(try await again.manualDevices() == devices)
        try await again.setOwnName(nil, device: "B")
        try await again.setManualDevices([devices[1]])
        #expect(try await again.ownNames() == ["A": "Kitchen"])
        #expect(try await again.manualDevices() == [devices[1]])
        try again.close()
    }

    @Test func sinksSurviveReopening() async throws {
        let store = try state.open(now: Date())
        try await store.keep(SoundSinkRecord(id: "B", name: "Bath"))
        try await store.keep(SoundSinkRecord(id: "A", name: "Kitchen"))
        try await store.keep(SoundSinkRecord(id: "B", name: "Bad", latency: 0.5, delay: 0.75))
        try await store.keep(SoundSinkRecord(id: "C", name: "Cellar", isAutomatic: true))
        let group = SoundSinkRecord(id: "G", name: "Downstairs", members: ["A", "B"], hasOwnName: true)
        try await store.keep(group)
        try store.close()
        let again = try state.open(now: Date())
        #expect(
            try await again.soundSinks() == [
                SoundSinkRecord(id: "B", name: "Bad", latency: 0.5, delay: 0.75),
                SoundSinkRecord(id: "A", name: "Kitchen"),
                SoundSinkRecord(id: "C", name: "Cellar", isAutomatic: true), group,
            ])
        try await again.keep(SoundSinkRecord(id: "C", name: "Cellar"))
        try await again.dropSoundSink(id: "B")
        #expect(
            try await again.soundSinks() == [
                SoundSinkRecord(id: "A", name: "Kitchen"), SoundSinkRecord(id: "C", name: "Cellar"), group,
            ])
        try again.close()
    }

    @Test func settingsSurviveReopening() async throws {
        let store = try state.open(now: Date())
        #expect(try await !store.pausesOthers())
        try await store.setPausesOthers(true)
        #expect(try await store.sinkFollowing() == SinkFollowing())
        var following = SinkFollowing()
        following.turn(true)
        following.remove("B")
        try await store.keep(following)
        try store.close()
        let again = try state.open(now: Date())
        #expect(try await again.pausesOthers())
        #expect(try await again.sinkFollowing() == following)
        try await again.setPausesOthers(false)
        #expect(try await !again.pausesOthers())
        try again.close()
    }
}

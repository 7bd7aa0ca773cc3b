import MediaDevice
import MyProtocol
import Testing

@testable import DeviceExtensionCanonical

@MainActor
@Suite("The spelling of the 27.0 SDK", .timeLimit(.minutes(1)))
struct CanonicalTests {
    private let client = MyProtocolClient(code: "1234")

    @Test("a status of the device becomes a snapshot of position, time and rate")
    func snapshot() {
        let control = PlaybackControl(client)
        var status = DeviceStatus()
        (status.isPlaying, status.position, status.duration, status.title) = (true, 30, 120, "film.mp4")
        let before = CMClock.hostTimeClock.time
        control.update(status)
        #expect(control.isReady && control.isPlaying)
        #expect(control.playbackPosition.position.seconds == 30 && control.playbackPosition.rate == 1)
        #expect(control.playbackPosition.hostTime >= before)
        #expect(control.timeRange.duration.seconds == 120)
        #expect(control.metadata.title == "film.mp4")
        #expect(control.currentSegment.timeRange == control.timeRange)

        let snapshot = control.playbackPosition
        status.volume = 0.9
        control.update(status)
        #expect(control.playbackPosition === snapshot, "the same position is not published again")
        status.isPlaying = false
        control.update(status)
        #expect(control.playbackPosition.rate == 0)
    }

    @Test("a seek is a wish that the device makes true")
    func seek() async throws {
        try await client.connect(code: "1234")
        try await client.load(#require(URL(string: "http://192.0.2.1/film.mp4")))
        let control = PlaybackControl(client)
        control.seek(to: CMTime(value: 45, timescale: 1), tolerance: .zero)
        for await status in client.statuses {
            control.update(status)
            if status.position == 45 { break }
        }
        #expect(control.playbackPosition.position.seconds == 45)
    }

    @Test("the device refuses a wrong code and an address it cannot play")
    func refusals() async throws {
        await #expect(throws: DeviceFailure.wrongCode) { try await client.connect(code: "0000") }
        let url = try #require(URL(string: "ftp://192.0.2.1/film.mp4"))
        await #expect(throws: DeviceFailure.notConnected) { try await client.load(url) }
        try await client.connect(code: "1234")
        await #expect(throws: DeviceFailure.cannotPlay(url)) { try await client.load(url) }
    }

    @Test("volume steps are twentieths and stay in range; muting toggles")
    func volume() throws {
        let `extension` = MyDeviceExtension()
        let device = try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "TV", capabilities: .urlPlayback,
                requiredNetworkEndpoints: [.hostPort(host: "192.0.2.1", port: 80)]))
        `extension`.changeVolume(by: 2, for: device)
        #expect(abs(`extension`.volume(for: device) - 0.6) < 0.001)
        `extension`.changeVolume(by: 100, for: device)
        #expect(`extension`.volume(for: device) == 1)
        `extension`.muteDevice(device)
        #expect(`extension`.isDeviceMuted(device))
        `extension`.muteDevice(device)
        #expect(!`extension`.isDeviceMuted(device))
    }
}

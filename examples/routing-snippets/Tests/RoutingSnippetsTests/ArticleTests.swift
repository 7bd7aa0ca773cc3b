import MediaDevice
import MyProtocol
import Testing

@testable import DeviceExtensionArticle

@MainActor
@Suite("The article's spelling", .timeLimit(.minutes(1)))
struct ArticleTests {
    @Test("setting the position seeks")
    func position() async throws {
        let client = MyProtocolClient()
        try await client.connect()
        try await client.load(#require(URL(string: "http://192.0.2.1/film.mp4")))
        var control: any AVInterfaceControllable = PlaybackControl(client)
        control.currentPlaybackPosition = CMTime(value: 45, timescale: 1)
        for await status in client.statuses {
            (control as? PlaybackControl)?.update(status)
            if status.position == 45 { break }
        }
        #expect(control.currentPlaybackPosition.seconds == 45)
        #expect(control.currentSegment.timeRange.duration.seconds == 120)
        #expect(!control.metadata.isAudioOnly && control.metadata.title == "film.mp4")
    }

    @Test("a device by a text is the same device every time, and another for another text")
    func identity() {
        func device(_ id: String) -> MediaOutputDevice {
            MediaOutputDevice(id: id, displayName: "TV", capabilities: .urlPlayback)
        }
        #expect(device("my-device-1") == device("my-device-1"))
        #expect(device("my-device-1") != device("my-device-2"))
        #expect(device("my-device-1").networkEndpoints.isEmpty)
    }
}

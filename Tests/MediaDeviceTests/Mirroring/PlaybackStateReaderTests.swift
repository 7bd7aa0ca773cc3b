import AVKit
import CoreMedia
import HostInterface
import PlaybackMirroring
import Testing

@MainActor
@Suite("Reading a control object")
struct PlaybackStateReaderTests {
    @Test("every property is read")
    func everything() {
        let control = SampleControl()
        control.isPlaying = true
        control.isBuffering = true
        control.playbackSpeed = 1.5
        control.scanSpeed = -4
        control.state = .scanning
        control.containsLiveStreamingContent = true
        control.currentAudioOption = control.audioOptions[0]
        control.currentLegibleOption = control.legibleOptions[0]
        control.isMuted = true
        control.volume = 0.25
        control.seekableTimeRanges = [SampleControl.range(10, 20)]

        let state = PlaybackStateReader.state(of: control)

        var expected = PlaybackState()
        expected.isReady = true
        expected.isPlaying = true
        expected.isBuffering = true
        expected.playbackSpeed = 1.5
        expected.scanSpeed = -4
        expected.mode = .scanning
        expected.seekCapabilities = 0b101
        expected.unsupported = []
        expected.isLive = true
        expected.timeRange = .init(start: 0, duration: 100)
        expected.position = .init(value: 12.5, hostTime: 1000, rate: 0)
        let segment = PlaybackState.Segment(
            timeRange: .init(start: 0, duration: 100), type: 3, isMarked: true, requiresLinearPlayback: false,
            identifier: "only")
        expected.segments = [segment]
        expected.currentSegment = segment
        expected.seekableRanges = [.init(start: 10, duration: 20)]
        expected.audioOptions = [
            .init(name: "English", identifier: "en", language: "en-GB", characteristics: []),
            .init(name: "Deutsch", identifier: "de", language: nil, characteristics: []),
        ]
        expected.legibleOptions = [
            .init(name: "Untertitel", identifier: "cc", language: nil, characteristics: ["public.easy-to-read"])
        ]
        expected.currentAudioOption = "en"
        expected.currentLegibleOption = "cc"
        expected.isMuted = true
        expected.volume = 0.25
        expected.title = "A film"
        expected.subtitle = "A subtitle"
        expected.artwork = [
            .init(url: "http://127.0.0.1/cover.png", contentType: "public.png", width: 300, height: 200)
        ]
        expected.presentationWidth = 1920
        expected.presentationHeight = 1080
        #expect(state == expected)
    }

    @Test("numbers that no wire value stands for are replaced")
    func oddNumbers() {
        let control = SampleControl()
        control.volume = .nan
        control.playbackSpeed = .infinity
        control.scanSpeed = .nan
        control.timeRange = CMTimeRange(start: .invalid, duration: .positiveInfinity)
        control.playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: .indefinite, hostTime: .invalid, rate: .nan)
        let before = MonotonicClock.now
        let state = PlaybackStateReader.state(of: control)
        #expect(state.volume == 0)
        #expect(state.playbackSpeed == 1)
        #expect(state.scanSpeed == 0)
        #expect(state.timeRange == .init(start: 0, duration: 0))
        #expect(state.position.value == 0)
        #expect(state.position.rate == 0)
        #expect(state.position.hostTime >= before && state.position.hostTime <= MonotonicClock.now)
        control.volume = 7
        #expect(PlaybackStateReader.state(of: control).volume == 1)
    }

    @Test("an error keeps its code and sentence, or gets session-failed")
    func errors() {
        let control = SampleControl()
        control.error = HostError(.unsupportedFormat, "No Theora, please.")
        #expect(PlaybackStateReader.state(of: control).error == HostError(.unsupportedFormat, "No Theora, please."))
        struct Odd: Error, CustomStringConvertible { let description = "the tape is torn" }
        control.error = Odd()
        #expect(PlaybackStateReader.state(of: control).error == HostError(.sessionFailed, "the tape is torn"))
    }
}

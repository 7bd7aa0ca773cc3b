import AVKit
import CoreMedia
import HostInterface
import Observation
import PlaybackMirroring
import Testing

@MainActor
@Suite("Applying commands")
struct PlaybackCommandApplierTests {
    private let control = SampleControl()

    private func apply(_ command: PlaybackCommand) throws(PlaybackCommandError) {
        try PlaybackCommandApplier.apply(command, to: control)
    }

    @Test("every kind reaches its member")
    func everyKind() throws {
        try apply(PlaybackCommand(.setPlaying, flag: true))
        #expect(control.isPlaying)
        try apply(PlaybackCommand(.setMuted, flag: true))
        #expect(control.isMuted)
        try apply(PlaybackCommand(.setVolume, number: 0.25))
        #expect(control.volume == 0.25)
        try apply(PlaybackCommand(.setPlaybackSpeed, number: 2))
        #expect(control.playbackSpeed == 2)
        try apply(PlaybackCommand(.setScanSpeed, number: 8))
        #expect(control.scanSpeed == 8)
        try apply(PlaybackCommand(.setMode, identifier: "scrubbing"))
        #expect(control.state == .scrubbing)
        try apply(PlaybackCommand(.selectAudio, identifier: "de"))
        #expect(control.currentAudioOption?.identifier == "de")
        try apply(PlaybackCommand(.selectLegible, identifier: "cc"))
        #expect(control.currentLegibleOption?.identifier == "cc")
        try apply(PlaybackCommand(.selectLegible))
        #expect(control.currentLegibleOption == nil)
        try apply(PlaybackCommand(.seek, number: 40, tolerance: .infinity))
        #expect(control.seeks == [.init(position: 40, tolerance: .positiveInfinity)])
    }

    @Test("numbers are clamped")
    func clamped() throws {
        try apply(PlaybackCommand(.setVolume, number: 4))
        #expect(control.volume == 1)
        try apply(PlaybackCommand(.setVolume, number: -1))
        #expect(control.volume == 0)
        try apply(PlaybackCommand(.setPlaybackSpeed, number: 0))
        #expect(control.playbackSpeed == 0.0625)
        try apply(PlaybackCommand(.setScanSpeed, number: 1e9))
        #expect(control.scanSpeed == 64)
        try apply(PlaybackCommand(.seek, number: 1e9))
        try apply(PlaybackCommand(.seek, number: -5, tolerance: -1))
        #expect(control.seeks.map(\.position) == [100, 0])
        #expect(control.seeks.allSatisfy { $0.tolerance == .zero })
    }

    @Test(
        "a seek goes to the nearest seekable point", arguments: [(5.0, 10.0), (15, 15), (36, 30), (45, 50), (99, 60)])
    func nearest(wish: Double, target: Double) throws {
        control.seekableTimeRanges = [SampleControl.range(10, 20), SampleControl.range(50, 10)]
        try apply(PlaybackCommand(.seek, number: wish))
        #expect(control.seeks.map(\.position) == [target])
    }

    @Test("an unknown length does not clamp a seek")
    func unknownLength() throws {
        control.timeRange = SampleControl.range(0, 0)
        try apply(PlaybackCommand(.seek, number: 70))
        #expect(control.seeks.map(\.position) == [70])
    }

    @Test("what cannot be applied is refused, and changes nothing")
    func refused() {
        #expect(throws: PlaybackCommandError.missingValue(.setPlaying)) { try apply(PlaybackCommand(.setPlaying)) }
        #expect(throws: PlaybackCommandError.missingValue(.setVolume)) { try apply(PlaybackCommand(.setVolume)) }
        #expect(throws: PlaybackCommandError.missingValue(.seek)) { try apply(PlaybackCommand(.seek)) }
        #expect(throws: PlaybackCommandError.missingValue(.setMode)) { try apply(PlaybackCommand(.setMode)) }
        #expect(throws: PlaybackCommandError.notANumber(.setVolume)) {
            try apply(PlaybackCommand(.setVolume, number: .nan))
        }
        #expect(throws: PlaybackCommandError.notANumber(.seek)) {
            try apply(PlaybackCommand(.seek, number: 1, tolerance: .nan))
        }
        #expect(throws: PlaybackCommandError.unknownMode("sideways")) {
            try apply(PlaybackCommand(.setMode, identifier: "sideways"))
        }
        #expect(throws: PlaybackCommandError.unknownOption("fr")) {
            try apply(PlaybackCommand(.selectAudio, identifier: "fr"))
        }
        control.seekableTimeRanges = []
        #expect(refusal(PlaybackCommand(.seek, number: 1))?.contains("can't seek") == true)
        #expect(PlaybackStateReader.state(of: control).volume == 0.5)
        #expect(control.seeks.isEmpty)
        #expect(PlaybackCommandError.unknownOption("fr").asHostError.code == .invalidArgument)
    }

    /// The sentence; `nil` if the command is carried out, or refused with another code.
    private func refusal(_ command: PlaybackCommand, of control: (any AVPlaybackUserInterfaceControllable)? = nil)
        -> String?
    {
        do throws(PlaybackCommandError) {
            try PlaybackCommandApplier.apply(command, to: control ?? self.control)
            return nil
        } catch {
            return error.asHostError.code == .notSupported ? error.asHostError.message : nil
        }
    }

    @Test("what is not offered does not reach the object")
    func notOffered() {
        control.supportedSeekCapabilities = .scanForward
        #expect(refusal(PlaybackCommand(.seek, number: 1)) != nil)
        #expect(refusal(PlaybackCommand(.setMode, identifier: "scrubbing")) != nil)
        #expect(refusal(PlaybackCommand(.setScanSpeed, number: -8)) == "This media can't be scanned in this direction.")
        control.scanSpeed = -8
        #expect(refusal(PlaybackCommand(.setMode, identifier: "scanning")) != nil)
        control.supportedSeekCapabilities = []
        #expect(refusal(PlaybackCommand(.setScanSpeed, number: 8)) == "This media can't be scanned.")
        #expect(refusal(PlaybackCommand(.setMode, identifier: "normal")) == nil, "it is normal")
        #expect(refusal(PlaybackCommand(.selectAudioDescription, identifier: "x")) != nil)
        control.unsupportedFeatures = [.playbackSpeed, .mute, .volume]
        #expect(refusal(PlaybackCommand(.setPlaybackSpeed, number: 2)) == "This device plays at one speed.")
        #expect(refusal(PlaybackCommand(.setMuted, flag: true)) != nil)
        #expect(refusal(PlaybackCommand(.setVolume, number: 0)) != nil)
        #expect(control.state == .normal && control.scanSpeed == -8 && control.seeks.isEmpty)
        #expect(control.playbackSpeed == 1 && !control.isMuted && control.volume == 0.5)
    }

    @Test("what an object leaves to the defaults is not offered, and refused")
    func defaults() {
        let radio = BareControl()
        let state = PlaybackStateReader.state(of: radio)
        #expect(state.unsupported == [.playbackSpeed, .mute, .volume] && state.seekCapabilities == 0)
        #expect(PlaybackStateReader.state(of: control).unsupported == [])
        for command in [
            PlaybackCommand(.setPlaybackSpeed, number: 2), PlaybackCommand(.setScanSpeed, number: 8),
            PlaybackCommand(.setMode, identifier: "scanning"), PlaybackCommand(.seek, number: 1),
            PlaybackCommand(.setMuted, flag: true), PlaybackCommand(.setVolume, number: 1),
            PlaybackCommand(.selectAudio, identifier: "x"), PlaybackCommand(.selectAudioDescription),
            PlaybackCommand(.selectLegible),
        ] {
            #expect(refusal(command, of: radio) != nil, "\(command.kind)")
        }
        #expect(refusal(PlaybackCommand(.setPlaying, flag: true), of: radio) == nil && radio.isPlaying)
    }

    @Test("an object refuses in its own words, and the next command is not concerned")
    func ownWords() {
        let radio = BareControl()
        radio.refusal = "The radio has no pause."
        #expect(refusal(PlaybackCommand(.setPlaying, flag: false), of: radio) == "The radio has no pause.")
        radio.refusal = nil
        #expect(refusal(PlaybackCommand(.setPlaying, flag: false), of: radio) == nil)
        PlaybackRefusal.refuse("Outside of a command.")
        #expect(refusal(PlaybackCommand(.setPlaying, flag: true), of: radio) == nil)
    }
}

/// As little as a control object can be.
@MainActor
@Observable
private final class BareControl: AVPlaybackUserInterfaceControllable {
    let isReady = true
    var refusal: String?
    private var plays = false
    var isPlaying: Bool {
        get { plays }
        set {
            if let refusal { return PlaybackRefusal.refuse(refusal) }
            plays = newValue
        }
    }
    let timeRange = CMTimeRange(start: .zero, duration: .zero)
    let playbackPosition = SampleControl.position(0, at: 0, rate: 0)
    let metadata = AVPlaybackUserInterfaceContentMetadata(title: "Radio")
}

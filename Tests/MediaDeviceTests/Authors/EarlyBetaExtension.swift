import MediaDevice

// An extension as its author wrote it for an early beta: textual identifiers, the old control family, data the other way
// round. It must build without a change, also with main-actor isolation by default.

@MainActor
@Observable
final class EarlyBetaControl: AVInterfaceControllable {
    var isReady = true
    var isPlaying = false
    var isBuffering = false
    var playbackSpeed: Float = 1
    var scanSpeed: Float = 0
    var state = AVInterfacePlaybackState.normal
    var supportedSeekCapabilities: AVInterfaceSeekCapabilities = [.seek]
    var containsLiveStreamingContent = false
    var playbackError: (any Error)?

    var timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 100, timescale: 1))
    var currentPlaybackPosition = CMTime.zero
    var segments: [AVInterfaceTimelineSegment] = []
    var currentSegment = AVInterfaceTimelineSegment(
        timeRange: CMTimeRange(start: .zero, duration: CMTime(value: 100, timescale: 1)), isAuxiliaryContent: false,
        marked: false, requiresLinearPlayback: false, identifier: nil)
    var seekableTimeRanges: [CMTimeRange]?

    var currentAudioOption: AVInterfaceMediaSelectionOptionSource?
    var currentLegibleOption: AVInterfaceMediaSelectionOptionSource?
    var audioOptions: [AVInterfaceMediaSelectionOptionSource] = []
    var legibleOptions: [AVInterfaceMediaSelectionOptionSource] = []

    var hasAudio = true
    var isMuted = false
    var volume: Float = 0.5
    var metadata = AVInterfaceMetadata(isAudioOnly: true, title: "A song")
}

final class EarlyBetaExtension: MediaDeviceExtension {
    lazy var routingManager = MediaDeviceRoutingManager.routingManager(for: self)
    private var control: EarlyBetaControl?
    private var levels: [MediaOutputDevice: Float] = [:]

    required init() {}

    var protocolType: UTType { UTType(exportedAs: "org.mdhost.early-beta") }
    var supportsSimultaneousSessions: Bool { false }

    func startDeviceDiscovery() {
        let device = MediaOutputDevice(
            id: "early-beta-device", displayName: "Early Beta", capabilities: [.urlPlayback, .appLaunch],
            deviceType: .hifiSpeaker)
        routingManager.foundDevice(device)
    }

    func stopDeviceDiscovery() {}

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        routingManager.requestPairingCode(
            for: device, session: session, reason: "Enter the code on the speaker's display",
            authorizationMethod: .numericCode(length: .fourCharacter))
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        guard pairingCode == "1234" else {
            routingManager.failedToActivateDevice(device, session: session, error: .init(.authorizationFailed))
            return
        }
        Task {
            await Task.yield()
            routingManager.activatedDevice(device, session: session)
        }
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
    func setVolume(_ volume: Float, for device: MediaOutputDevice) { levels[device] = volume }
    func volume(for device: MediaOutputDevice) -> Float { levels[device] ?? 0 }
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {}
    func muteDevice(_ device: MediaOutputDevice) {}
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        let control = EarlyBetaControl()
        self.control = control
        routingManager.started(application: identifier, playbackControl: control, session: session)
    }

    func stopSession(_ session: MediaOutputSession) { control = nil }

    func receiveData(_ data: Data, fromApplication applicationIdentifier: String, session: MediaOutputSession) {
        routingManager.sendData(data + Data("!".utf8), toApplication: applicationIdentifier, session: session)
    }
}

import Foundation
import MediaDevice
import Observation

// An extension as its author writes it for the released framework. It must build without a change, also with main-actor
// isolation by default.

@Observable
@MainActor
final class FrameworkControl: AVPlaybackUserInterfaceControllable {
    private(set) var isReady = true
    var isPlaying = false
    private(set) var isBuffering = false
    var playbackSpeed: Float = 1
    var scanSpeed: Float = 0
    var state = AVPlaybackUserInterfacePlaybackState.normal
    let supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities = [.seek]
    let containsLiveStreamingContent = false
    var error: (any Error)?

    var timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 60, timescale: 1))
    private(set) var playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
        position: .zero, hostTime: .zero, rate: 0)
    var segments: [AVPlaybackUserInterfaceTimelineSegment] { [currentSegment] }
    var currentSegment: AVPlaybackUserInterfaceTimelineSegment {
        AVPlaybackUserInterfaceTimelineSegment(
            timeRange: timeRange, segmentType: .primary, marked: false, requiresLinearPlayback: false, identifier: nil)
    }
    var seekableTimeRanges: [CMTimeRange]?

    func seek(to position: CMTime, tolerance: CMTime) {
        playbackPosition = AVPlaybackUserInterfacePlaybackPosition(
            position: position, hostTime: CMClock.hostTimeClock.time, rate: isPlaying ? playbackSpeed : 0)
    }

    var currentAudioOption: AVPlaybackUserInterfaceMediaSelectionOption?
    var currentAudioDescriptionOption: AVPlaybackUserInterfaceMediaSelectionOption?
    var currentLegibleOption: AVPlaybackUserInterfaceMediaSelectionOption?
    let audioOptions = [AVPlaybackUserInterfaceMediaSelectionOption(displayName: "English", identifier: "en")]
    let audioDescriptionOptions: [AVPlaybackUserInterfaceMediaSelectionOption] = []
    let legibleOptions: [AVPlaybackUserInterfaceMediaSelectionOption] = []

    let hasAudio = true
    var isMuted = false
    var volume: Float = 0.5
    var metadata = AVPlaybackUserInterfaceContentMetadata(title: "A film")
}

final class FrameworkExtension: MediaDeviceExtension, RealtimeSampleHandling {
    private lazy var routingManager = MediaDeviceRoutingManager.routingManager(for: self)
    private var controls: [MediaOutputSession.ID: FrameworkControl] = [:]
    private var browser: NWBrowser?

    let protocolType = UTType(exportedAs: "org.mdhost.framework")
    let supportsSimultaneousSessions = true

    required init() {}

    func startDeviceDiscovery() {
        let browser = NWBrowser(for: .bonjourWithTXTRecord(type: "_framework._tcp", domain: nil), using: .tcp)
        browser.browseResultsChangedHandler = { results, _ in
            MainActor.assumeIsolated { [weak self] in
                for result in results { self?.found(result) }
            }
        }
        browser.start(queue: .main)
        self.browser = browser
    }

    private func found(_ result: NWBrowser.Result) {
        guard case .service(let name, _, _, _) = result.endpoint else { return }
        guard
            let device = MediaOutputDevice(
                id: UUID(version5: name), displayName: name, capabilities: .urlPlayback, volumeControl: .absolute,
                requiredNetworkEndpoints: [result.endpoint])
        else { return }
        routingManager.foundDevice(device)
    }

    func stopDeviceDiscovery() {
        browser?.cancel()
        browser = nil
    }

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        guard deviceFeatures.contains(.urlPlayback) else {
            routingManager.failedToActivateDevice(
                device, session: session, error: MediaDeviceError(.connectionFailed, reason: "It plays URLs only."))
            return
        }
        routingManager.activatedDevice(device, session: session)
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {}
    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
    func setVolume(_ volume: Float, for device: MediaOutputDevice) {}
    func volume(for device: MediaOutputDevice) -> Float { 0.5 }
    func changeVolume(by increments: Int, for device: MediaOutputDevice) {}
    func muteDevice(_ device: MediaOutputDevice) {}
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }

    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        let control = FrameworkControl()
        controls[session.id] = control
        routingManager.started(application: identifier, playbackControl: control, session: session)
    }

    func stopSession(_ session: MediaOutputSession) { controls[session.id] = nil }

    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        routingManager.receiveData(data, fromApplication: applicationIdentifier, session: session)
    }

    func startRealtimeSampleDelivery(session: MediaOutputSession) {}

    func stopRealtimeSampleDelivery(session: MediaOutputSession) {
        routingManager.reportQualityMetricsPassed(true, forSession: session)
    }
}

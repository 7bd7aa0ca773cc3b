public import AVKit
import Foundation
import HostInterface
import LinkProtocol
public import MediaDevice
import PlaybackMirroring

/// A session with a device, or with several together, in a ``TestSystem``: activation, playback, data.
@MainActor
public final class TestSession<Extension: MediaDeviceExtension> {
    /// The identifier of the session.
    public nonisolated let id: MediaOutputSession.ID
    /// The identifier of the device.
    public nonisolated let device: MediaOutputDevice.ID
    private let system: TestSystem<Extension>
    /// The running delivery of samples.
    var delivery: TestSampleDelivery?
    /// The running delivery of video.
    var videoDelivery: TestVideoDelivery?

    init(id: String, device: MediaOutputDevice.ID, system: TestSystem<Extension>) {
        self.id = id
        self.device = device
        self.system = system
    }

    // MARK: Activation

    /// Waits until the device is active.
    ///
    /// - Throws: ``ReportedError`` if the activation failed; ``TestSystemError``.
    public func activated() async throws {
        let (id, device) = (id, device)
        let report = try await system.report("activation of \(id)") {
            switch $0 {
            case .activated(device, id), .activationFailed(device, id, _): true
            default: false
            }
        }
        if case .activationFailed(_, _, let error) = report { throw error }
    }

    /// Waits until the extension requests a code or password.
    ///
    /// - Throws: ``ReportedError`` if the activation failed; ``TestSystemError``.
    public func pairingRequest() async throws -> PairingRequest {
        let (id, device) = (id, device)
        let report = try await system.report("a pairing request of \(id)") {
            switch $0 {
            case .pairingCodeRequested(device, id, _), .activationFailed(device, id, _): true
            default: false
            }
        }
        switch report {
        case .pairingCodeRequested(_, _, let request): return request
        case .activationFailed(_, _, let error): throw error
        default: throw TestSystemError.waitedInVain("a pairing request", reports: system.reports)
        }
    }

    /// Answers the request for a code or password, as a person would; `nil` cancels.
    public func answer(_ code: String?) {
        try? system.perform(.connectUsingPairingCode(code: code, device: device.uuidString, session: id))
    }

    /// Deactivates the device.
    public func deactivate() { try? system.perform(.deactivate(device: device.uuidString, session: id)) }

    // MARK: Playback

    /// Starts playback, or an application on the device, as an app would.
    ///
    /// - Parameters:
    ///   - url: The URL of the media, or one that the application understands.
    ///   - application: The remote application; `nil` for the device's own player.
    ///   - information: The app's information about the media.
    public func start(
        _ url: URL, application: String? = nil, information: MediaOutputSession.MediaInformation? = nil
    ) {
        system.mediaReaders.set(url.absoluteString, of: id)
        try? system.perform(
            .startSession(
                session: id, identifier: application, url: url.absoluteString, media: MediaInformation(information)))
    }

    /// Requests the adoption of a playback that an earlier process of the extension started.
    ///
    /// Wait for ``started()`` or ``ended()`` afterwards.
    /// - Throws: ``ReportedError`` `not-supported` if the extension doesn't conform to `PlaybackAdopting`.
    public func adopt(
        _ playback: EarlierPlayback, information: MediaOutputSession.MediaInformation? = nil
    ) throws {
        system.mediaReaders.set(playback.url.absoluteString, of: id)
        try system.perform(
            .adoptSession(
                session: id, identifier: playback.applicationIdentifier, url: playback.url.absoluteString,
                media: MediaInformation(information), token: playback.token))
    }

    /// Requests control of the playback that another sender started on the device.
    ///
    /// Wait for ``started()`` or ``ended()`` afterwards.
    /// - Throws: ``ReportedError`` `not-supported` if the extension doesn't conform to `PlaybackAdopting`.
    public func takeControl() throws { try system.perform(.takeControl(session: id)) }

    /// Waits until playback has started.
    ///
    /// - Throws: ``ReportedError`` if it failed; ``TestSystemError``.
    public func started() async throws {
        let id = id
        let report = try await system.report("the start of \(id)") {
            switch $0 {
            case .started(id, _), .sessionFailed(id, _): true
            default: false
            }
        }
        if case .sessionFailed(_, let error) = report { throw error }
    }

    /// Waits until playback has ended.
    ///
    /// - Throws: ``ReportedError`` if it failed; ``TestSystemError``.
    public func ended() async throws {
        let id = id
        let report = try await system.report("the end of \(id)") {
            switch $0 {
            case .sessionEnded(id, _), .sessionFailed(id, _): true
            default: false
            }
        }
        if case .sessionFailed(_, let error) = report { throw error }
    }

    /// Waits until the control object meets a condition, which is checked at once and at every published change.
    public func control(
        _ what: String, shows condition: (any AVPlaybackUserInterfaceControllable) -> Bool
    ) async throws {
        let id = id
        while true {
            if let control, condition(control) { return }
            try await system.report(what) { if case .playbackChanged(id) = $0 { true } else { false } }
        }
    }

    /// The control object of the playback; `nil` before the start and after the end.
    public var control: (any AVPlaybackUserInterfaceControllable)? {
        system.manager.sessions.playback(of: id)?.control
    }

    /// A person's command for the playback.
    public enum Command: Sendable, Hashable {
        /// Resumes or pauses playback.
        case play, pause
        /// Seeks to a position in seconds on the timeline, clamped to the seekable ranges.
        case seek(Double)
        /// Sets the playback speed; 1 is normal.
        case setSpeed(Double)
        /// Scans through the content at a speed; 0 ends the scan.
        case scan(Double)
        /// Sets the volume, `0.0...1.0`.
        case setVolume(Double)
        /// Mutes or unmutes.
        case setMuted(Bool)
        /// Selects an audio track by its identifier; `nil` for none.
        case selectAudio(String?)
        /// Selects an audio description by its identifier; `nil` for none.
        case selectAudioDescription(String?)
        /// Selects a subtitle track by its identifier; `nil` for none.
        case selectSubtitles(String?)
    }

    /// Applies a person's command to the control object, with the checks and limits of the real system.
    ///
    /// - Throws: ``ReportedError``: `no-such-session`, `invalid-argument` or `not-supported`.
    public func perform(_ command: Command) throws {
        for part in command.parts { try system.perform(.playbackCommand(session: id, part)) }
    }

    /// Stops playback, as an app would.
    public func stop() { try? system.perform(.stopSession(session: id)) }

    func start(_ samples: DeliveredSamples, _ information: MediaOutputSession.MediaInformation?) throws {
        try system.perform(
            .startSampleDelivery(session: id, samples: samples, media: MediaInformation(information)))
    }

    func change(_ information: MediaOutputSession.MediaInformation) {
        try? system.perform(.updateMediaInformation(session: id, media: MediaInformation(information)))
    }

    func stopDelivery() { try? system.perform(.stopSampleDelivery(session: id)) }

    // MARK: Data

    /// Sends data of the app to the remote application, or by default to the extension itself.
    public func send(_ data: Data, toApplication application: String = "com.apple.media-device-extension") {
        try? system.perform(.sendData(data, application: application, session: id))
    }

    /// Waits for data for the app.
    public func receivedData() async throws -> (data: Data, application: String) {
        let id = id
        let report = try await system.report("data in \(id)") {
            if case .dataReceived(_, _, id) = $0 { true } else { false }
        }
        guard case .dataReceived(let data, let application, _) = report else {
            throw TestSystemError.waitedInVain("data", reports: system.reports)
        }
        return (data, application)
    }
}

extension TestSession.Command {
    fileprivate var parts: [PlaybackCommand] {
        switch self {
        case .play: [PlaybackCommand(.setPlaying, flag: true)]
        case .pause: [PlaybackCommand(.setPlaying, flag: false)]
        case .seek(let position): [PlaybackCommand(.seek, number: position, tolerance: 0)]
        case .setSpeed(let speed): [PlaybackCommand(.setPlaybackSpeed, number: speed)]
        case .scan(0): [PlaybackCommand(.setMode, identifier: PlaybackState.Mode.normal.rawValue)]
        case .scan(let speed):
            [
                PlaybackCommand(.setScanSpeed, number: speed),
                PlaybackCommand(.setMode, identifier: PlaybackState.Mode.scanning.rawValue),
            ]
        case .setVolume(let level): [PlaybackCommand(.setVolume, number: level)]
        case .setMuted(let isMuted): [PlaybackCommand(.setMuted, flag: isMuted)]
        case .selectAudio(let option): [PlaybackCommand(.selectAudio, identifier: option)]
        case .selectAudioDescription(let option): [PlaybackCommand(.selectAudioDescription, identifier: option)]
        case .selectSubtitles(let option): [PlaybackCommand(.selectLegible, identifier: option)]
        }
    }
}

extension HostInterface.MediaInformation {
    fileprivate init(_ information: MediaOutputSession.MediaInformation?) {
        self.init(
            title: information?.title, artist: information?.artist,
            artworkURL: information?.artworkURL?.absoluteString, contentType: information?.contentType,
            duration: information?.duration, startPosition: information?.startPosition)
        let subtitles = information?.subtitles ?? []
        if !subtitles.isEmpty {
            self.subtitles = subtitles.map {
                Subtitles(url: $0.url.absoluteString, name: $0.name, language: $0.language)
            }
        }
    }
}

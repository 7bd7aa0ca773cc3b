import AVKit
package import DBus
import Foundation
package import HostInterface
package import LinkProtocol
import PlaybackMirroring

extension ExtensionCall {
    /// A Boolean value that indicates whether the host may end the process after the answer.
    var isFarewell: Bool {
        switch self {
        case .stopSession, .stopSampleDelivery, .deactivate: true
        default: false
        }
    }
}

/// A handler that calls the author's code for the host's requests.
@MainActor
package struct ExtensionRequestHandler {
    let `extension`: any MediaDeviceExtension
    let manager: MediaDeviceRoutingManager

    package init(extension: any MediaDeviceExtension, manager: MediaDeviceRoutingManager) {
        self.extension = `extension`
        self.manager = manager
    }

    /// Performs a request.
    ///
    /// - Returns: The values of the reply.
    /// - Throws: ``HostError`` `no-such-device`, `no-such-session`, `not-supported` or `invalid-argument`.
    package func perform(_ request: ExtensionCall) throws(HostError) -> [DBusValue] {
        switch request {
        case .ping: break
        case .startDeviceDiscovery: `extension`.startDeviceDiscovery()
        case .stopDeviceDiscovery: `extension`.stopDeviceDiscovery()
        case .activate(let description, let session, let capabilities, let credential):
            try activate(description, session, capabilities, credential)
        case .connectUsingPairingCode(let code, let device, let session):
            `extension`.connectUsingPairingCode(code, to: try known(device), session: try open(session))
        case .deactivate(let device, let session): try deactivate(device, session)
        case .setVolume(let device, let level):
            let device = try known(device, with: .absolute)
            try carryOut { `extension`.setVolume(Float(level), for: device) }
        case .changeVolume(let device, let increments):
            let device = try known(device, with: .relative)
            try carryOut { `extension`.changeVolume(by: Int(increments), for: device) }
        case .muteDevice(let device):
            let device = try known(device)
            guard device.canMute else { throw HostError(.notSupported, "\(device.displayName) cannot be muted.") }
            try carryOut { `extension`.muteDevice(device) }
        case .readVolume(let device):
            return Self.readVolume(of: try known(device), from: `extension`).values
        case .startSession(let session, let identifier, let url, let information):
            let url = try Self.url(url)
            let session = manager.sessions.open(session)
            session.mediaInformation = MediaOutputSession.MediaInformation(information)
            `extension`.startSession(session, identifier: identifier, url: url)
        case .adoptSession(let session, let identifier, let url, let information, let token):
            let playback = EarlierPlayback(url: try Self.url(url), applicationIdentifier: identifier, token: token)
            try adopt(playback, session, information)
        case .takeControl(let session):
            guard let adopting = `extension` as? any PlaybackAdopting else {
                throw HostError(.notSupported, "This extension can't control the playback of others.")
            }
            adopting.takeControl(in: manager.sessions.open(session))
        case .stopSession(let session): stop(session) { `extension`.stopSession($0) }
        case .startSampleDelivery(let session, let samples, let information):
            try startDelivery(session, samples, information)
        case .stopSampleDelivery(let session):
            stop(session) { (`extension` as? any RealtimeSampleHandling)?.stopRealtimeSampleDelivery(session: $0) }
        case .updateMediaInformation(let session, let information):
            manager.sessions.session(session)?.mediaInformation = MediaOutputSession.MediaInformation(information)
        case .sendData(let data, let application, let session):
            `extension`.sendData(data, toApplication: application, session: try open(session))
        case .openDataChannel(let socket, let application, let session):
            try openDataChannel(socket, application, session)
        case .playbackCommand(let session, let command): try apply(command, session)
        // The runtime passes these to their browsers and managers.
        case .browserEvents, .announcementEvents, .bluetoothAnswers, .centralEvents: break
        }
        return []
    }

    package static func readVolume(of device: MediaOutputDevice, from source: any MediaDeviceExtension) -> VolumeReading
    {
        var level: Double?
        if device.volumeControl == .absolute {
            let reported = source.volume(for: device)
            level = reported.isNaN ? nil : Double(min(1, max(0, reported)))
        }
        return VolumeReading(level: level, isMuted: device.canMute && source.isDeviceMuted(device))
    }

    private func activate(
        _ description: DeviceDescription, _ session: String, _ capabilities: DeviceDescription.Capabilities,
        _ credential: Data?
    ) throws(HostError) {
        guard let described = MediaOutputDevice(description) else {
            throw HostError(.invalidArgument, "The description of “\(description.name)” is not usable.")
        }
        let device = manager.devices.activate(described, session: session, credential: credential)
        `extension`.activateDevice(
            device, session: manager.sessions.open(session),
            for: MediaOutputDevice.Capabilities(rawValue: capabilities.rawValue))
    }

    private func deactivate(_ identifier: String, _ session: String) throws(HostError) {
        let device = try known(identifier)
        let session = manager.sessions.session(session) ?? MediaOutputSession(id: session, in: manager.devices)
        manager.devices.deactivated(device.id, session: session.id)
        manager.forgetIfUnused(session)
        `extension`.deactivateDevice(device, session: session)
    }

    private func adopt(
        _ playback: EarlierPlayback, _ session: String, _ information: MediaInformation
    ) throws(HostError) {
        guard let adopting = `extension` as? any PlaybackAdopting else {
            throw HostError(
                .notSupported,
                "This extension can't adopt playback after a crash, because it doesn't conform to PlaybackAdopting."
            )
        }
        let session = manager.sessions.open(session)
        session.mediaInformation = MediaOutputSession.MediaInformation(information)
        adopting.adoptPlayback(playback, in: session)
    }

    /// Stops a session; no error if it has already ended, because the extension may have ended it at the same time.
    private func stop(_ identifier: String, with requirement: (MediaOutputSession) -> Void) {
        guard let session = manager.sessions.session(identifier), !session.isStopped else { return }
        manager.sessions.stop(session)
        manager.forgetIfUnused(session)
        requirement(session)
    }

    private func startDelivery(
        _ session: String, _ samples: DeliveredSamples, _ information: MediaInformation
    ) throws(HostError) {
        guard let handling = `extension` as? any RealtimeSampleHandling else {
            throw HostError(.notSupported, "This extension doesn't take samples.")
        }
        let format = try samples.format
        try samples.video?.check()
        let session = manager.sessions.open(session)
        session.mediaInformation = MediaOutputSession.MediaInformation(information)
        session.samples = SampleSocket(samples.socket, format, latency: samples.latency)
        session.video = samples.video.map(VideoSocket.init)
        handling.startRealtimeSampleDelivery(session: session)
    }

    private func openDataChannel(
        _ socket: DBusDescriptor, _ application: String, _ session: String
    ) throws(HostError) {
        let session = try open(session)
        guard !session.isStopped || application == HostNames.extensionApplication else {
            throw HostError(.noSuchSession, "The session has ended.")
        }
        try manager.sessions.channels.open(socket, application: application, session: session.id)
    }

    private func apply(_ command: PlaybackCommand, _ session: String) throws(HostError) {
        guard let playback = manager.sessions.playback(of: session) else {
            guard manager.sessions.session(session)?.samples == nil else {
                throw HostError(.notSupported, "Live sound can only be stopped.")
            }
            throw HostError(.noSuchSession, "Nothing plays in session \(session).")
        }
        do {
            try PlaybackCommandApplier.apply(command, to: playback.control)
        } catch {
            throw error.asHostError
        }
        // Some objects don't report their own changes.
        playback.observation.readAgain()
    }

    /// Performs a command.
    ///
    /// - Throws: ``HostError`` `not-supported` if the extension refuses it.
    private func carryOut(_ command: () -> Void) throws(HostError) {
        if let reason = PlaybackRefusal.collect(command) { throw HostError(.notSupported, reason) }
    }

    private static func url(_ text: String) throws(HostError) -> URL {
        guard let url = URL(string: text), url.scheme != nil else {
            throw HostError(.invalidArgument, "“\(text)” isn't a URL.")
        }
        return url
    }

    private func known(_ identifier: String) throws(HostError) -> MediaOutputDevice {
        guard let device = UUID(uuidString: identifier).flatMap({ manager.devices.current($0) }) else {
            throw HostError(.noSuchDevice, "The extension does not know the device \(identifier).")
        }
        return device
    }

    private func known(
        _ device: String, with volumeControl: MediaOutputDevice.VolumeControl
    ) throws(HostError) -> MediaOutputDevice {
        let device = try known(device)
        guard device.volumeControl == volumeControl else {
            throw HostError(.notSupported, "The volume of \(device.displayName) can't be changed that way.")
        }
        return device
    }

    private func open(_ session: String) throws(HostError) -> MediaOutputSession {
        guard let session = manager.sessions.session(session) else {
            throw HostError(.noSuchSession, "The extension has no session \(session).")
        }
        return session
    }
}

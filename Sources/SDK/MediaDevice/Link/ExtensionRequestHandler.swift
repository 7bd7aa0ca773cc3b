import AVKit
import DBus
import Foundation
import HostInterface
import PlaybackMirroring

/// The volume and mute state of a device as its extension knows them.
package struct VolumeReading: Sendable, Hashable {
    /// The volume, `0.0...1.0`; `nil` if the device has no absolute volume.
    package let level: Double?
    package let isMuted: Bool
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
    package func perform(_ request: ExtensionRequest) throws(HostError) -> [DBusValue] {
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
            try carryOut { `extension`.setVolume(level, for: device) }
        case .changeVolume(let device, let increments):
            let device = try known(device, with: .relative)
            try carryOut { `extension`.changeVolume(by: increments, for: device) }
        case .muteDevice(let device):
            let device = try known(device)
            guard device.canMute else { throw HostError(.notSupported, "\(device.displayName) cannot be muted.") }
            try carryOut { `extension`.muteDevice(device) }
        case .readVolume(let device):
            let reading = Self.readVolume(of: try known(device), from: `extension`)
            return [.double(reading.level ?? -1), .boolean(reading.isMuted)]
        case .startSession(let session, let identifier, let url, let information):
            let session = manager.sessions.open(session)
            session.mediaInformation = MediaOutputSession.MediaInformation(information)
            `extension`.startSession(session, identifier: identifier, url: url)
        case .adoptSession(let session, let playback, let information): try adopt(playback, session, information)
        case .stopSession(let session): stop(session)
        case .sendData(let data, let application, let session):
            `extension`.sendData(data, toApplication: application, session: try open(session))
        case .playbackCommand(let session, let command): try apply(command, session)
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
        _ description: DeviceDescription, _ session: String, _ capabilities: Int, _ credential: Data?
    ) throws(HostError) {
        guard let described = MediaOutputDevice(description) else {
            throw HostError(.invalidArgument, "The description of “\(description.name)” is not usable.")
        }
        let device = manager.devices.activate(described, session: session, credential: credential)
        `extension`.activateDevice(
            device, session: manager.sessions.open(session),
            for: MediaOutputDevice.Capabilities(rawValue: capabilities))
    }

    private func deactivate(_ identifier: UUID, _ session: String) throws(HostError) {
        let device = try known(identifier)
        let session = manager.sessions.session(session) ?? MediaOutputSession(id: session, in: manager.devices)
        manager.devices.deactivated(identifier, session: session.id)
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
    private func stop(_ identifier: String) {
        guard let session = manager.sessions.session(identifier), !session.isStopped else { return }
        manager.sessions.stop(session)
        manager.forgetIfUnused(session)
        `extension`.stopSession(session)
    }

    private func apply(_ command: PlaybackCommand, _ session: String) throws(HostError) {
        guard let playback = manager.sessions.playback(of: session) else {
            throw HostError(.noSuchSession, "Nothing plays in session \(session).")
        }
        do {
            try PlaybackCommandApplier.apply(command, to: playback.control)
        } catch {
            throw error.asHostError
        }
        // Not every object tells by itself what it changed.
        playback.observation.readAgain()
    }

    /// Performs a command.
    ///
    /// - Throws: ``HostError`` `not-supported` if the extension refuses it.
    private func carryOut(_ command: () -> Void) throws(HostError) {
        if let reason = PlaybackRefusal.collect(command) { throw HostError(.notSupported, reason) }
    }

    private func known(_ device: UUID) throws(HostError) -> MediaOutputDevice {
        guard let device = manager.devices.current(device) else {
            throw HostError(.noSuchDevice, "The extension does not know the device \(device).")
        }
        return device
    }

    private func known(
        _ device: UUID, with volumeControl: MediaOutputDevice.VolumeControl
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

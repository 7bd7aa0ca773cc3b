public import Foundation
public import MediaDevice

/// An extension that the kit implements for a ``PlayerProtocol``.
///
/// ```swift
/// @main
/// final class KitchenExtension: PlayerExtension {
///     let protocolType = UTType(exportedAs: "org.example.kitchen")
///     lazy var players = PlayerController(KitchenProtocol(), for: self)
/// }
/// ```
///
/// Every requirement of `MediaDeviceExtension` and `PlaybackAdopting` except `protocolType` has a default
/// implementation that calls ``players``.
@MainActor
public protocol PlayerExtension: PlaybackAdopting {
    /// The protocol that controls the extension's devices.
    associatedtype Described: PlayerProtocol

    /// The controller of the extension's devices. Always return the same object.
    var players: PlayerController<Described> { get }
}

extension PlayerExtension {
    /// `true`: it has as many devices in use as there are, each of which plays one thing at a time.
    public var supportsSimultaneousSessions: Bool { true }

    public func startDeviceDiscovery() { players.startDiscovery() }

    public func stopDeviceDiscovery() { players.stopDiscovery() }

    public func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        players.activate(device, for: session)
    }

    public func connectUsingPairingCode(
        _ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession
    ) {
        players.answer(pairingCode, to: device, for: session)
    }

    public func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        players.deactivate(device, for: session)
    }

    public func setVolume(_ volume: Float, for device: MediaOutputDevice) { players.setVolume(volume, for: device) }

    public func volume(for device: MediaOutputDevice) -> Float { players.volume(for: device) }

    public func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        players.changeVolume(by: increments, for: device)
    }

    public func muteDevice(_ device: MediaOutputDevice) { players.toggleMute(of: device) }

    public func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { players.isMuted(device) }

    public func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        players.start(url, application: identifier, in: session)
    }

    public func adoptPlayback(_ playback: EarlierPlayback, in session: MediaOutputSession) {
        players.adopt(playback, in: session)
    }

    public func takeControl(in session: MediaOutputSession) { players.takeControl(in: session) }

    public func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        players.send(data, to: applicationIdentifier, in: session)
    }

    public func stopSession(_ session: MediaOutputSession) { players.stop(session) }
}

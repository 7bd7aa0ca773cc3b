import Foundation
import MediaDevice

/// An extension whose devices the kit drives.
///
/// ```swift
/// @main
/// final class KitchenExtension: PlayerExtension {
///     let protocolType = UTType(exportedAs: "org.example.kitchen")
///     lazy var players = PlayerController(KitchenProtocol(), for: self)
/// }
/// ```
///
/// Every requirement of `MediaDeviceExtension` and `PlaybackAdopting` but `protocolType` has an implementation that asks
/// ``players``.
@MainActor
public protocol PlayerExtension: PlaybackAdopting {
    associatedtype Described: PlayerProtocol

    /// Keeps the protocol's devices. Always the same one.
    var players: PlayerController<Described> { get }
}

extension PlayerExtension {
    /// `false`: a device plays one thing at a time.
    public var supportsSimultaneousSessions: Bool { false }

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

    public func stopSession(_ session: MediaOutputSession) { players.stop(session) }
}

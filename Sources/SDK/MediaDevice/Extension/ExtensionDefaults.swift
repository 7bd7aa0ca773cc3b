import AVKit

// Default implementations of requirements for optional features; a request for such a feature is refused. Only on
// Linux.

extension MediaDeviceExtension {
    /// The default: `false`, one session at a time.
    public var supportsSimultaneousSessions: Bool { false }

    /// The default for devices that never request a code or password. It fails the activation.
    public func connectUsingPairingCode(
        _ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession
    ) {
        let error = MediaDeviceError(.authorizationFailed, reason: "\(device.displayName) doesn't use a code.")
        MediaDeviceRoutingManager.routingManager(for: self).failedToActivateDevice(
            device, session: session, error: error)
    }

    /// The default for devices without ``MediaOutputDevice/VolumeControl/absolute`` volume. It refuses the change.
    public func setVolume(_ volume: Float, for device: MediaOutputDevice) {
        PlaybackRefusal.refuse("The volume of \(device.displayName) can't be set.")
    }

    /// The default for devices without absolute volume: not a number, which means that the volume is unknown.
    public func volume(for device: MediaOutputDevice) -> Float { .nan }

    /// The default for devices without ``MediaOutputDevice/VolumeControl/relative`` volume. It refuses the change.
    public func changeVolume(by increments: Int, for device: MediaOutputDevice) {
        PlaybackRefusal.refuse("The volume of \(device.displayName) can't be changed.")
    }

    /// The default for devices that can't be muted. It refuses the change.
    public func muteDevice(_ device: MediaOutputDevice) {
        PlaybackRefusal.refuse("\(device.displayName) can't be muted.")
    }

    /// The default: `false`.
    public func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }
}

package import DBus

/// The volume and mute state of a device as its extension knows them: the reply to ``ExtensionCall/readVolume(device:)``.
package struct VolumeReading: Sendable, Hashable {
    /// The volume, `0.0...1.0`; `nil` if the device has no absolute volume.
    package let level: Double?
    package let isMuted: Bool

    package init(level: Double?, isMuted: Bool) {
        self.level = level
        self.isMuted = isMuted
    }

    /// The values of the reply.
    package var values: [DBusValue] { [.double(level ?? -1), .boolean(isMuted)] }
}

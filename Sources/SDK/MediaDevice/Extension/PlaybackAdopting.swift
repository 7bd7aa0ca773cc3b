public import Foundation

/// An extension that can resume control of playback after its process, or the host, exited unexpectedly.
///
/// The device continues to play without control. When both processes run again, the host activates the device with the
/// stored secret and then requests adoption. Without this conformance the host ends such a session and reports why.
/// Available on Linux only.
@MainActor
public protocol PlaybackAdopting: MediaDeviceExtension {
    /// Checks whether a device still plays media that an earlier process of this extension started.
    ///
    /// Don't change anything, and never restart the media. Answer with
    ///
    /// - `MediaDeviceRoutingManager.started(application:playbackControl:session:)` if the device plays it or has it
    ///   paused,
    /// - ``MediaDeviceRoutingManager/sessionEnded(_:ending:)`` if it ended or the device plays other media,
    /// - ``MediaDeviceRoutingManager/sessionFailed(_:error:)`` if the device can't be asked. After `connectionFailed`
    ///   the host retries for a while.
    ///
    /// ``MediaOutputSession/mediaInformation`` has the app's information about the media. Ignore its start position.
    func adoptPlayback(_ playback: EarlierPlayback, in session: MediaOutputSession)

    /// Takes control of the playback that another sender started on the session's device.
    ///
    /// Don't change anything. Answer as for ``adoptPlayback(_:in:)``. When the session's device is deactivated without
    /// ``MediaDeviceExtension/stopSession(_:)`` before, the playback continues. The default implementation answers that
    /// nothing plays.
    func takeControl(in session: MediaOutputSession)
}

extension PlaybackAdopting {
    /// The default: nothing plays.
    public func takeControl(in session: MediaOutputSession) {
        MediaDeviceRoutingManager.routingManager(for: self).sessionEnded(session)
    }
}

/// A playback that an earlier process of an extension started on a device. Available on Linux only.
public struct EarlierPlayback: Sendable, Hashable {
    /// The URL that the device was given.
    public let url: URL
    /// The remote application; `nil` for the device's own player.
    public let applicationIdentifier: String?
    /// The token of ``MediaDeviceRoutingManager/setAdoptionToken(_:for:)``; `nil` if the extension set none.
    public let token: Data?

    /// Creates a playback, for tests of an extension.
    public init(url: URL, applicationIdentifier: String? = nil, token: Data? = nil) {
        self.url = url
        self.applicationIdentifier = applicationIdentifier
        self.token = token
    }
}

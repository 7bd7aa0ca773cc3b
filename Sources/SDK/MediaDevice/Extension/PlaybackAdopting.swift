import Foundation

/// An extension that can take up again what a device still plays after the extension's process, or the host, has died.
///
/// The device goes on playing while nobody controls it. When both run again, the host activates the device anew, with the
/// stored secret, and then asks. An extension that does not conform loses such a session: the host ends it and says why.
/// Only on Linux.
@MainActor
public protocol PlaybackAdopting: MediaDeviceExtension {
    /// A device that is active in the session may still play what an earlier process of this extension started.
    ///
    /// Look, and change nothing: where the device plays it, or has paused it, answer with
    /// ``MediaDeviceRoutingManager/started(application:playbackControl:session:)``, where it is over or something else
    /// plays, with ``MediaDeviceRoutingManager/sessionEnded(_:)``, and where the device cannot be asked, with
    /// ``MediaDeviceRoutingManager/sessionFailed(_:error:)``: the host tries again for a while after `connectionFailed`.
    /// Never start it from the beginning. What the app told about the media is in
    /// ``MediaOutputSession/mediaInformation``; where playback was to start says nothing about where it is.
    func adoptPlayback(_ playback: EarlierPlayback, in session: MediaOutputSession)
}

/// What an earlier process of an extension started on a device. Only on Linux.
public struct EarlierPlayback: Sendable, Hashable {
    /// The address the device was given.
    public let url: URL
    /// The remote application; `nil` for the device's own player.
    public let applicationIdentifier: String?
    /// What the extension gave to ``MediaDeviceRoutingManager/setAdoptionToken(_:for:)``; `nil` if nothing.
    public let token: Data?

    /// For tests of an extension.
    public init(url: URL, applicationIdentifier: String? = nil, token: Data? = nil) {
        self.url = url
        self.applicationIdentifier = applicationIdentifier
        self.token = token
    }
}

import HostInterface

/// A media session as surfaces show it.
package struct NowPlayingSession: Sendable, Hashable, Identifiable {
    package enum Kind: String, Sendable {
        /// Published by an app of this machine.
        case local
        /// What a device plays.
        case route
    }

    package let id: String
    package let kind: Kind
    /// Who published it: one connection of an app, or one playback on a device.
    package let owner: String
    /// Identifier of the app; of a device's playback that of the device.
    package let application: String
    /// What people call the app or the device.
    package var name: String
    package var state: MediaSessionState
    /// `0.0...1.0`; `nil` where it has none.
    package var volume: Double?
    package var isApplicationPrimary = false
    package var isSystemPrimary = false
    /// Of the last command; cleared by the next that works.
    package var lastError: HostError?

    package init(
        id: String, kind: Kind, owner: String, application: String, name: String, state: MediaSessionState,
        volume: Double? = nil
    ) {
        self.id = id
        self.kind = kind
        self.owner = owner
        self.application = application
        self.name = name
        self.state = state
        self.volume = volume
    }
}

/// What changed, in order.
package enum NowPlayingChange: Sendable {
    /// It is new or changed; it may have no content, and is then not to be shown.
    case session(NowPlayingSession)
    case removed(id: String)
    /// Whom commands without an address mean; `nil`: there is nobody.
    case systemPrimary(String?)
    case pausesOthers(Bool)
}

/// The owner of a session, as the host reaches it.
package protocol MediaSessionPort: Sendable {
    /// Does what a person asked for; returns when it is done.
    func perform(_ action: MediaAction) async throws
    /// `0.0...1.0`.
    func setVolume(_ level: Double) async throws
    /// - Parameters:
    ///   - id: ``MediaItem/artworkID`` of the item it shows.
    ///   - width: Pixels, as `height`; not more than a hint.
    /// - Returns: An encoded picture.
    func artwork(_ id: String, width: Double, height: Double) async throws -> [UInt8]
    /// - Parameter aspectRatio: One of ``MediaItem/animatedArtworkRatios``.
    /// - Returns: The first frame, encoded, and the address of the video.
    func animatedArtwork(
        _ id: String, aspectRatio: String, width: Double, height: Double
    ) async throws -> (preview: [UInt8], video: String)
    /// The owner's session has, or has lost, these roles.
    func setRoles(isApplicationPrimary: Bool, isSystemPrimary: Bool) async
}

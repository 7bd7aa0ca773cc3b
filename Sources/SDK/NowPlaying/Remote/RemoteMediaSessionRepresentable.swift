public import Foundation

/// A remote session in its extension: playback on other devices, as the system shows it.
///
/// Make it an `@Observable` class. The system observes every property that the five getters read and publishes a change
/// within a frame. An instance lasts as long as the extension runs; new attributes arrive in ``update(_:)``, commands
/// in its closures. An extension without work exits after a while and later starts again with the newest attributes, so
/// keep all lasting state in them.
///
/// The protocol has the requirement of `Identifiable` without refining it, and ``Attributes`` is constrained at its
/// use. An isolated class can therefore conform in every isolation setting of its module.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
public protocol RemoteMediaSessionRepresentable {
    /// The attributes that app, server and extension share, a ``RemoteMediaSessionAttributes``.
    associatedtype Attributes

    /// The identifier of the session, equal to that of its attributes.
    var id: String { get }
    /// The current item. The session isn't shown while it is `nil`.
    var content: (any MediaContentRepresentable)? { get }
    /// The state and position of playback; `nil` if unknown.
    var playbackSnapshot: MediaPlaybackSnapshot? { get }
    /// The available commands, in any order.
    var commands: [MediaCommand] { get }
    /// The devices on which the session plays; empty while it plays on none.
    var devices: [MediaDevice] { get }

    /// Replaces the attributes. Only store them: the system publishes the values that the getters read from them.
    func update(_ attributes: Attributes)

    /// The token with which a server updates and ends this session; `nil` until the daemon provides it. The token can
    /// change.
    var pushToken: Data? { get }
    /// A stream of the current token and each later one.
    var pushTokenUpdates: AsyncStream<Data> { get }
}

extension RemoteMediaSessionRepresentable {
    /// The token with which a server updates and ends this session. Observable. It is `nil` until the daemon provides
    /// it, after `session(_:)` has returned.
    public var pushToken: Data? { PushTokens.shared.holder(of: id).token }

    /// A stream of the current token and each later one.
    public var pushTokenUpdates: AsyncStream<Data> { PushTokens.shared.holder(of: id).updates() }
}

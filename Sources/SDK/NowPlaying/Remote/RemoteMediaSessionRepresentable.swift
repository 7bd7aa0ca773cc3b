import Foundation

/// A remote session in its extension: what plays on devices elsewhere, as the system shows it.
///
/// Make it an `@Observable` class: every observable property that is read inside the five getters is followed, and a change
/// is published within a frame. One instance is kept for a session as long as the extension runs; later attributes arrive at
/// its ``update(_:)``, commands at its closures. An extension that has had nothing to do for a while is let go and started
/// again when it is needed, with the newest attributes: what must last longer belongs into them.
///
/// The protocol has `Identifiable`'s requirement without refining it, and ``Attributes`` is constrained where it is used: so an
/// isolated class conforms in every isolation setting of its module.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
public protocol RemoteMediaSessionRepresentable {
    /// What app, server and extension say of a session: a ``RemoteMediaSessionAttributes``.
    associatedtype Attributes

    /// The same as the attributes' identifier.
    var id: String { get }
    /// What plays; `nil`: there is nothing to show, and the session is not shown.
    var content: (any MediaContentRepresentable)? { get }
    /// Whether and where it plays; `nil`: that is not known.
    var playbackSnapshot: MediaPlaybackSnapshot? { get }
    /// What can be done, in no order.
    var commands: [MediaCommand] { get }
    /// Where it plays; empty while it plays nowhere.
    var devices: [MediaDevice] { get }

    /// Takes over the newest attributes. Only store them: what is read from them is published by itself.
    func update(_ attributes: Attributes)

    /// To whom a server sends updates and the end of this session; `nil` until the daemon has told. May be replaced.
    var pushToken: Data? { get }
    /// The token that there is, then each that replaces it.
    var pushTokenUpdates: AsyncStream<Data> { get }
}

extension RemoteMediaSessionRepresentable {
    /// To whom a server sends updates and the end of this session; `nil` until the daemon has told, which is after
    /// `session(_:)` returned. Observable.
    public var pushToken: Data? { PushTokens.shared.holder(of: id).token }

    /// The token that there is, then each that replaces it.
    public var pushTokenUpdates: AsyncStream<Data> { PushTokens.shared.holder(of: id).updates() }
}

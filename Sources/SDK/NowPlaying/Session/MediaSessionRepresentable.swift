/// An app's model of what it plays, as the system shows it.
///
/// Make it `@Observable`: every observable property that is read inside these four getters is followed, and a change is
/// published within a frame. The getters are read often and should only read.
///
/// The isolation comes from the protocol: a class without one of its own conforms with `: MediaSessionRepresentable`, in every
/// isolation setting of its module. The protocol has `Identifiable`'s requirement without refining it: an isolated `id` can't
/// witness a nonisolated one.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
public protocol MediaSessionRepresentable {
    /// Names the session.
    var id: String { get }
    /// What plays; `nil`: there is nothing to show, and the session is not shown.
    var content: (any MediaContentRepresentable)? { get }
    /// Whether and where it plays; `nil`: that is not known.
    var playbackSnapshot: MediaPlaybackSnapshot? { get }
    /// What can be done, in no order.
    var commands: [MediaCommand] { get }
}

/// An app's model of playback, as the system shows it.
///
/// Make it `@Observable`. The system observes every property that the four getters read and publishes a change within a
/// frame. It calls the getters often; they must have no side effects.
///
/// The isolation comes from the protocol: a class without an isolation of its own conforms with `:
/// MediaSessionRepresentable` in every isolation setting of its module. The protocol has the requirement of
/// `Identifiable` without refining it, because an isolated `id` can't witness a nonisolated one.
///
/// Source: NowPlaying, iOS 27 SDK.
@MainActor
public protocol MediaSessionRepresentable {
    /// The identifier of the session.
    var id: String { get }
    /// The current item. The session isn't shown while it is `nil`.
    var content: (any MediaContentRepresentable)? { get }
    /// The state and position of playback; `nil` if unknown.
    var playbackSnapshot: MediaPlaybackSnapshot? { get }
    /// The available commands, in any order.
    var commands: [MediaCommand] { get }
}

import Foundation
import NowPlaying
import Synchronization

/// An app's use of audio, and its request to be the main audio source.
///
/// On Linux the sound server mixes all audio, so an app needs no active session to play. An active session for playback
/// requests that the app's `MediaSession` becomes system primary, like `requestToBecomeSystemPrimary()`: at once, or as
/// soon as it has content.
///
/// Source: AVFAudio, iOS 27 SDK.
public final class AVAudioSession: Sendable {
    private struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var policy = RouteSharingPolicy.default
        var isActive = false

        /// A Boolean value that indicates whether the app wants to be the only audio source on the default route.
        var claims: Bool {
            let mixing: CategoryOptions = [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]
            return isActive && category != .ambient && category != .record && options.isDisjoint(with: mixing)
                && policy != .independent
        }
    }

    private static let shared = AVAudioSession { claims in Task { await PrimaryClaim.set(claims) } }
    private let state = Mutex(State())
    private let claim: @Sendable (Bool) -> Void

    init(claim: @escaping @Sendable (Bool) -> Void) { self.claim = claim }

    /// Returns the app's session.
    public static func sharedInstance() -> AVAudioSession { shared }

    /// The app's use of audio.
    public var category: Category { state.withLock { $0.category } }
    /// The app's specific use of audio within the category.
    public var mode: Mode { state.withLock { $0.mode } }
    /// The options of the category.
    public var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// The route that the app uses.
    public var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }
    /// The available categories. All of them can be set, but only those for playback make a request.
    public var availableCategories: [Category] {
        [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
    }

    /// Sets the category. Never throws on Linux.
    public func setCategory(_ category: Category) throws { try setCategory(category, mode: .default, options: []) }

    /// Sets the category and its options. Never throws on Linux.
    public func setCategory(_ category: Category, options: CategoryOptions) throws {
        try setCategory(category, mode: .default, options: options)
    }

    /// Sets the category, mode and options. Never throws on Linux.
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Sets the category, mode, route and options. Never throws on Linux.
    ///
    /// - Parameters:
    ///   - category: The app's use of audio.
    ///   - mode: Has no effect on Linux.
    ///   - policy: `.independent` makes no request; the others are equal on Linux.
    ///   - options: Options that mix with or duck others make no request. The other options have no effect on Linux.
    public func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        change { ($0.category, $0.mode, $0.policy, $0.options) = (category, mode, policy, options) }
    }

    /// Requests to become system primary, or withdraws a request that hasn't taken effect yet. Never throws on Linux.
    ///
    /// A request from the background has no effect, like that of a `MediaSession`. A withdrawal doesn't change the
    /// system primary session; release the `MediaSession` for that.
    ///
    /// - Parameters:
    ///   - active: `true` to make the request.
    ///   - options: Has no effect on Linux. `mdhost now-playing settings --pause-others` pauses other players, and
    ///     doesn't resume them.
    public func setActive(_ active: Bool, options: SetActiveOptions = []) throws { change { $0.isActive = active } }

    private func change(_ body: (inout State) -> Void) {
        let (before, after) = state.withLock { state in
            let before = state.claims
            body(&state)
            return (before, state.claims)
        }
        if before != after { claim(after) }
    }
}

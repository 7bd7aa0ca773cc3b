import Foundation
import NowPlaying
import Synchronization

/// An application's claim to be the one that is heard.
///
/// On Linux the sound server mixes everybody's sound, so there is nothing to be activated before an app may play. What an active
/// session means here is the claim: the app's `MediaSession` asks for the first place among all sessions, as by
/// `requestToBecomeSystemPrimary()`, at once or when it has content.
///
/// Source: AVFAudio, iOS 27 SDK.
public final class AVAudioSession: Sendable {
    private struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var policy = RouteSharingPolicy.default
        var isActive = false

        /// Whether the app wants to be heard alone, and where everything else is heard.
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

    /// The application's session.
    public static func sharedInstance() -> AVAudioSession { shared }

    /// What the app does with sound.
    public var category: Category { state.withLock { $0.category } }
    /// What it does in particular.
    public var mode: Mode { state.withLock { $0.mode } }
    /// What the category is changed by.
    public var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// Whether the app is heard where everything else is.
    public var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }
    /// The categories there are. All of them can be set; only those for playback claim anything.
    public var availableCategories: [Category] {
        [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
    }

    /// Says what the app does with sound. Throws nothing here.
    public func setCategory(_ category: Category) throws { try setCategory(category, mode: .default, options: []) }

    /// Says what the app does with sound. Throws nothing here.
    public func setCategory(_ category: Category, options: CategoryOptions) throws {
        try setCategory(category, mode: .default, options: options)
    }

    /// Says what the app does with sound. Throws nothing here.
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Says what the app does with sound. Throws nothing here.
    ///
    /// - Parameters:
    ///   - mode: Has no effect.
    ///   - policy: `.independent` claims nothing; the others are the same here.
    ///   - options: Those that mix, and those that duck others, claim nothing. The others have no effect.
    public func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        change { ($0.category, $0.mode, $0.policy, $0.options) = (category, mode, policy, options) }
    }

    /// Claims the first place, or gives up a claim that could not be made yet. Throws nothing here.
    ///
    /// From the background a claim has no effect, as a request of the session itself. Giving up takes no place from a session that
    /// has it: letting go of the `MediaSession` does.
    ///
    /// - Parameter options: Have no effect: `mdhost now-playing settings --pause-others` pauses others and resumes nobody.
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

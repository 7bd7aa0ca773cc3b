public import Foundation
import HostInterface

/// A control that a session offers, and its action.
///
/// The action is a closure that runs on the main actor when a person uses the control on any surface. It has three
/// seconds; an error or a timeout is reported to the caller and in the daemon's log. `current` and `status` are part of
/// the command: offer a new one when they change. Surfaces show only commands that the session offers.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct MediaCommand {
    enum Action {
        case plain(() async throws -> Void)
        case number((TimeInterval) async throws -> Void)
        case held(begin: () async throws -> Void, end: () async throws -> Void)
        case rate((Float) async throws -> Void)
        case repeatMode((RepeatMode) async throws -> Void)
        case shuffleMode((ShuffleMode) async throws -> Void)
        case feedback((FeedbackStatus) async throws -> Void)
    }

    /// The control on surfaces and its name on D-Bus.
    var control: Control
    let action: Action

    init(_ control: Control, _ action: Action) {
        self.control = control
        self.action = action
    }

    /// Returns a copy that is enabled or disabled. Surfaces show a disabled command, but its closure is never called. A
    /// new command is enabled.
    public func enabled(_ isEnabled: Bool) -> MediaCommand {
        var copy = self
        copy.control.isEnabled = isEnabled
        return copy
    }
}

// MARK: Transport and navigation

extension MediaCommand {
    /// Starts or resumes playback.
    public static func play(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.play), .plain(action))
    }

    /// Pauses playback.
    public static func pause(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.pause), .plain(action))
    }

    /// Ends playback.
    public static func stop(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.stop), .plain(action))
    }

    /// Pauses or resumes playback.
    public static func togglePlayPause(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.togglePlayPause), .plain(action))
    }

    /// Plays the next item.
    public static func next(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.next), .plain(action))
    }

    /// Plays the previous item.
    public static func previous(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.previous), .plain(action))
    }

    /// Skips forward by an interval.
    ///
    /// - Parameters:
    ///   - preferredIntervals: The intervals to offer, in seconds, the preferred one first.
    ///   - action: A closure that receives the chosen interval, in seconds.
    public static func skipForward(
        preferredIntervals: [TimeInterval] = [10], _ action: @escaping (TimeInterval) async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.skipForward, numbers: preferredIntervals), .number(action))
    }

    /// Skips backward by an interval. The parameters are those of ``skipForward(preferredIntervals:_:)``.
    public static func skipBackward(
        preferredIntervals: [TimeInterval] = [10], _ action: @escaping (TimeInterval) async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.skipBackward, numbers: preferredIntervals), .number(action))
    }
}

// MARK: Seeking

extension MediaCommand {
    /// Seeks to a position.
    ///
    /// - Parameter action: A closure that receives the position, in seconds from the beginning.
    public static func seekToPosition(_ action: @escaping (TimeInterval) async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.seekToPosition), .number(action))
    }

    /// Fast-forwards while the control is held.
    ///
    /// - Parameters:
    ///   - beginAction: A closure that runs when a person presses the control.
    ///   - endAction: A closure that runs when the person releases it.
    public static func seekForward(
        beginAction: @escaping () async throws -> Void, endAction: @escaping () async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.seekForward), .held(begin: beginAction, end: endAction))
    }

    /// Rewinds while the control is held. The parameters are those of ``seekForward(beginAction:endAction:)``.
    public static func seekBackward(
        beginAction: @escaping () async throws -> Void, endAction: @escaping () async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.seekBackward), .held(begin: beginAction, end: endAction))
    }
}

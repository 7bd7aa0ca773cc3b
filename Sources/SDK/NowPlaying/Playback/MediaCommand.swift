import Foundation

/// A control a session offers, with what it does.
///
/// Its closure runs on the main actor when somebody uses the control, wherever it is shown. It has three seconds; an error
/// it throws, and no answer in that time, is told to whoever used the control and in the daemon's log. `current` and
/// `status` are part of the command: offer a new one when they change. A command that is not offered is not shown.
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

    /// What people are shown, and what the command is called on the bus.
    var control: Control
    let action: Action

    init(_ control: Control, _ action: Action) {
        self.control = control
        self.action = action
    }

    /// The same command, usable or not: one that is not is still shown, and its closure never called. New ones are usable.
    public func enabled(_ isEnabled: Bool) -> MediaCommand {
        var copy = self
        copy.control.isEnabled = isEnabled
        return copy
    }
}

// MARK: Transport and navigation

extension MediaCommand {
    /// Begins, or goes on.
    public static func play(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.play), .plain(action))
    }

    /// Stands still, to go on later.
    public static func pause(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.pause), .plain(action))
    }

    /// Ends playback.
    public static func stop(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.stop), .plain(action))
    }

    /// Plays what is paused, and pauses what plays.
    public static func togglePlayPause(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.togglePlayPause), .plain(action))
    }

    /// The next item.
    public static func next(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.next), .plain(action))
    }

    /// The item before.
    public static func previous(_ action: @escaping () async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.previous), .plain(action))
    }

    /// Moves on by an interval.
    ///
    /// - Parameters:
    ///   - preferredIntervals: In seconds, the best first.
    ///   - action: Receives the interval that was chosen, in seconds.
    public static func skipForward(
        preferredIntervals: [TimeInterval] = [10], _ action: @escaping (TimeInterval) async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.skipForward, numbers: preferredIntervals), .number(action))
    }

    /// Moves back by an interval; see ``skipForward(preferredIntervals:_:)``.
    public static func skipBackward(
        preferredIntervals: [TimeInterval] = [10], _ action: @escaping (TimeInterval) async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.skipBackward, numbers: preferredIntervals), .number(action))
    }
}

// MARK: Seeking

extension MediaCommand {
    /// Moves to a position.
    ///
    /// - Parameter action: Receives the position in seconds from the beginning.
    public static func seekToPosition(_ action: @escaping (TimeInterval) async throws -> Void) -> MediaCommand {
        MediaCommand(Control(.seekToPosition), .number(action))
    }

    /// Runs forward for as long as the control is held.
    public static func seekForward(
        beginAction: @escaping () async throws -> Void, endAction: @escaping () async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.seekForward), .held(begin: beginAction, end: endAction))
    }

    /// Runs backward for as long as the control is held.
    public static func seekBackward(
        beginAction: @escaping () async throws -> Void, endAction: @escaping () async throws -> Void
    ) -> MediaCommand {
        MediaCommand(Control(.seekBackward), .held(begin: beginAction, end: endAction))
    }
}

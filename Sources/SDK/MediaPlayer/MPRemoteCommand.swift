import Foundation

/// Something that people can do.
///
/// Source: MediaPlayer, iOS 27 SDK.
@MainActor
public class MPRemoteCommand {
    private var targets: [(token: NSObject, handler: (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus)] = []
    var onChange: () -> Void = {}

    init() {}

    /// Whether it can be used now: a command that can't is shown, and its handlers are never called.
    public var isEnabled = true { didSet { onChange() } }

    /// Adds a handler. All of them are called, in the order in which they were added.
    ///
    /// - Returns: What ``removeTarget(_:)`` takes.
    @discardableResult
    public func addTarget(handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus) -> Any {
        let token = NSObject()
        targets.append((token, handler))
        onChange()
        return token
    }

    /// Removes the handler that ``addTarget(handler:)`` returned this for; `nil`: all of them.
    public func removeTarget(_ target: Any?) {
        let token = target as? NSObject
        targets.removeAll { target == nil || $0.token === token }
        onChange()
    }

    var hasTarget: Bool { !targets.isEmpty }

    /// - Throws: ``MPRemoteCommandError`` where no handler succeeded.
    func perform(_ event: MPRemoteCommandEvent) throws {
        let answers = targets.map { $0.handler(event) }
        guard answers.contains(.success) else { throw MPRemoteCommandError(status: answers.last ?? .commandFailed) }
    }
}

/// What a handler answers.
///
/// Source: MediaPlayer, iOS 27 SDK.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    case success = 0
    case noSuchContent = 100
    case noActionableNowPlayingItem = 110
    case deviceNotFound = 120
    case commandFailed = 200
}

/// Why a command was not done, in words for people.
struct MPRemoteCommandError: Error, LocalizedError, Equatable {
    var status: MPRemoteCommandHandlerStatus

    var errorDescription: String? {
        switch status {
        case .noSuchContent: "The app doesn't have that."
        case .noActionableNowPlayingItem: "The app plays nothing."
        case .deviceNotFound: "The app doesn't find the device."
        case .success, .commandFailed: "The app couldn't do it."
        }
    }
}

/// Seconds to skip.
public final class MPSkipIntervalCommand: MPRemoteCommand {
    /// The choices, the preferred one first.
    public var preferredIntervals: [NSNumber] = [10] { didSet { onChange() } }
}

/// A position to go to.
public final class MPChangePlaybackPositionCommand: MPRemoteCommand {}

/// A speed to play at.
public final class MPChangePlaybackRateCommand: MPRemoteCommand {
    /// The choices.
    public var supportedPlaybackRates: [NSNumber] = [1] { didSet { onChange() } }
}

/// Somebody used a command.
@MainActor
public class MPRemoteCommandEvent {
    /// Which one.
    public let command: MPRemoteCommand
    /// When.
    public let timestamp = ProcessInfo.processInfo.systemUptime

    init(_ command: MPRemoteCommand) { self.command = command }
}

/// Somebody skipped.
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent {
    /// Seconds.
    public let interval: TimeInterval

    init(_ command: MPRemoteCommand, interval: TimeInterval) {
        self.interval = interval
        super.init(command)
    }
}

/// Somebody went to a position.
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent {
    /// Seconds from the beginning.
    public let positionTime: TimeInterval

    init(_ command: MPRemoteCommand, time: TimeInterval) {
        positionTime = time
        super.init(command)
    }
}

/// Somebody chose a speed.
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent {
    /// 1 is normal.
    public let playbackRate: Float

    init(_ command: MPRemoteCommand, rate: Float) {
        playbackRate = rate
        super.init(command)
    }
}

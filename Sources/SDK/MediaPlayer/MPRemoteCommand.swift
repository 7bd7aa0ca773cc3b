public import Foundation

/// A command that people can give. It can be used from any thread; handlers run on the main actor.
///
/// Source: MediaPlayer, iOS 27 SDK.
public class MPRemoteCommand: @unchecked Sendable {  // Behind `lock`; subclasses use it by `read` and `edit`.
    private struct Target {
        let token: NSObject
        let handler: (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    }

    /// Protects everything that changes.
    private let lock = NSLock()
    private var targets: [Target] = []
    private var enabled = true
    private var change: @Sendable () -> Void = {}

    init() {}

    /// A Boolean value that indicates whether the command can be used. Surfaces show a disabled command, but its
    /// handlers are never called.
    public var isEnabled: Bool {
        get { lock.withLock { enabled } }
        set { edit { enabled = newValue } }
    }

    /// Adds a handler. All handlers are called, in the order of their addition.
    ///
    /// - Returns: A token for ``removeTarget(_:)``.
    @discardableResult
    public func addTarget(handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus) -> Any {
        let token = NSObject()
        edit { targets.append(Target(token: token, handler: handler)) }
        return token
    }

    /// Removes the handler for which ``addTarget(handler:)`` returned this token; `nil` removes all.
    public func removeTarget(_ target: Any?) {
        let token = target as? NSObject
        edit { targets.removeAll { target == nil || $0.token === token } }
    }

    var hasTarget: Bool { lock.withLock { !targets.isEmpty } }

    func whenChanged(_ change: @escaping @Sendable () -> Void) { lock.withLock { self.change = change } }

    /// Reads the additional values of a kind of command.
    func read<Value>(_ body: () -> Value) -> Value { lock.withLock(body) }

    /// Changes something, and publishes it.
    func edit(_ body: () -> Void) {
        let change = lock.withLock {
            body()
            return self.change
        }
        change()
    }

    /// Calls all handlers.
    ///
    /// - Throws: ``MPRemoteCommandError`` unless a handler succeeded.
    @MainActor
    func perform(_ event: MPRemoteCommandEvent) throws {
        let targets = lock.withLock { self.targets }
        let answers = targets.map { $0.handler(event) }
        guard answers.contains(.success) else { throw MPRemoteCommandError(status: answers.last ?? .commandFailed) }
    }
}

/// The result of a handler.
///
/// Source: MediaPlayer, iOS 27 SDK.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    /// The command was performed.
    case success = 0
    /// The requested content doesn't exist.
    case noSuchContent = 100
    /// The app has no current item.
    case noActionableNowPlayingItem = 110
    /// The device wasn't found.
    case deviceNotFound = 120
    /// The command failed for another reason.
    case commandFailed = 200
}

/// The error of a failed command, with a sentence for people.
struct MPRemoteCommandError: Error, LocalizedError, Equatable {
    var status: MPRemoteCommandHandlerStatus

    var errorDescription: String? {
        switch status {
        case .noSuchContent: "The app doesn't have this content."
        case .noActionableNowPlayingItem: "Nothing is playing in the app."
        case .deviceNotFound: "The app doesn't find the device."
        case .success, .commandFailed: "The app couldn't do it."
        }
    }
}

/// A command that skips an interval.
public final class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
    private var intervals: [NSNumber] = [10]

    /// The available intervals in seconds, the preferred one first.
    public var preferredIntervals: [NSNumber] {
        get { read { intervals } }
        set { edit { intervals = newValue } }
    }
}

/// A command that seeks to a position.
public final class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {}

/// A command that changes the playback rate.
public final class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
    private var rates: [NSNumber] = [1]

    /// The available rates.
    public var supportedPlaybackRates: [NSNumber] {
        get { read { rates } }
        set { edit { rates = newValue } }
    }
}

/// An event that reports the use of a command. It can be read from any isolation.
public class MPRemoteCommandEvent: @unchecked Sendable {  // Immutable, and so are its subclasses.
    /// The command.
    public let command: MPRemoteCommand
    /// The time of the event, in seconds since the system started.
    public let timestamp = ProcessInfo.processInfo.systemUptime

    init(_ command: MPRemoteCommand) { self.command = command }
}

/// An event that reports a skip.
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// The interval in seconds.
    public let interval: TimeInterval

    init(_ command: MPRemoteCommand, interval: TimeInterval) {
        self.interval = interval
        super.init(command)
    }
}

/// An event that reports a seek.
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// The position in seconds from the beginning.
    public let positionTime: TimeInterval

    init(_ command: MPRemoteCommand, time: TimeInterval) {
        positionTime = time
        super.init(command)
    }
}

/// An event that reports a change of the rate.
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    /// The requested rate; 1 is normal.
    public let playbackRate: Float

    init(_ command: MPRemoteCommand, rate: Float) {
        playbackRate = rate
        super.init(command)
    }
}

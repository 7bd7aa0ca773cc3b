import HostInterface

/// Decides how a device in use is taken up again after its extension or the daemon died: what comes next, and when to give
/// up. A value without I/O that is told what happened.
///
/// Wait for the extension, activate the device with what is stored and ask nobody, then have the extension look whether
/// the device still plays what it played. Nothing is ever started anew: a person who wants a film from its beginning says so.
package struct Recovery: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        /// Wait until the extension's process runs.
        case awaitExtension
        /// Activate the device, after a pause.
        ///
        /// - Parameter isSeeking: The device did not answer where it was: look for it meanwhile.
        case activate(after: Duration, isSeeking: Bool)
        /// Have the extension take up what plays.
        case adopt
        case finish(Outcome)
    }

    package enum Outcome: Sendable, Hashable {
        /// The device is in use again and plays on, or nothing played there.
        case takenUp
        /// The device is there, and what it played is over.
        case ended
        case failed(HostError)
    }

    package enum Event: Sendable, Hashable {
        case extensionRuns
        /// It will not run without a person's doing.
        case extensionUnusable(HostError)
        /// The extension died again, or does not start in time; it is restarted by itself.
        case extensionDied(HostError)
        case activated
        case notActivated(HostError)
        case adopted
        /// The device does not play it any more.
        case isOver
        case notAdopted(HostError)
    }

    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(5)

    package let plays: Bool
    package let cause: HostError
    private var lastError: HostError?
    private var pause: Duration

    /// - Parameters:
    ///   - plays: Whether a session is to be taken up; otherwise only the way to the device is opened again.
    ///   - cause: Why it has to be: the end of the extension or of the daemon, or what the device itself met with.
    ///   - isLost: Whether it is the device that went away, so that there is no hurry to ask it.
    package init(plays: Bool, cause: HostError, isLost: Bool = false) {
        self.plays = plays
        self.cause = cause
        pause = isLost ? Self.firstPause : .zero
    }

    package var first: Step { .awaitExtension }

    package mutating func next(after event: Event) -> Step {
        switch event {
        case .extensionRuns:
            return .activate(after: pause, isSeeking: pause > .zero)
        case .extensionDied(let error):
            lastError = error
            return .awaitExtension
        case .extensionUnusable(let error):
            return .finish(.failed(error))
        case .activated:
            return plays ? .adopt : .finish(.takenUp)
        case .adopted:
            return .finish(.takenUp)
        case .isOver:
            return .finish(.ended)
        case .notActivated(let error):
            return retry(after: error, otherwise: error)
        case .notAdopted(let error):
            return retry(
                after: error,
                otherwise: HostError(
                    cause.code, "\(cause.message) What played cannot be taken up again: \(error.message)"))
        }
    }

    /// Too much time has passed.
    package var overdue: Outcome { .failed(lastError ?? cause) }

    private mutating func retry(after error: HostError, otherwise final: HostError) -> Step {
        lastError = error
        switch error.code {
        case .extensionCrashed:
            return .awaitExtension
        case .unreachable, .timedOut, .deviceInUse:
            // Its own connection of before may be what still holds the device.
            pause = pause == .zero ? Self.firstPause : min(pause * 2, Self.longestPause)
            return .activate(after: pause, isSeeking: true)
        default:
            return .finish(.failed(final))
        }
    }
}

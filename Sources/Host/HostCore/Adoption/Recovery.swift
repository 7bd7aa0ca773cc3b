import Backoff
package import HostInterface

/// The recovery of a device in use after its extension or the daemon exited, as a value without I/O that receives
/// events and returns the next step.
///
/// It waits for the extension, activates the device with stored secrets only, and then has the extension check whether
/// the device still plays. It never restarts media.
package struct Recovery: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        /// Wait until the extension's process runs.
        case awaitExtension
        /// Activate the device after a pause.
        ///
        /// - Parameter isSeeking: `true` if the device didn't answer at its address, so that it is searched for
        ///   meanwhile.
        case activate(after: Duration, isSeeking: Bool)
        /// Have the extension adopt the playback.
        case adopt
        case finish(Outcome)
    }

    package enum Outcome: Sendable, Hashable {
        /// The device is in use again and plays on, or nothing played there.
        case takenUp
        /// The device is available, but its playback has ended.
        case ended
        case failed(HostError)
    }

    package enum Event: Sendable, Hashable {
        case extensionRuns
        /// The extension can't run until a person acts.
        case extensionUnusable(HostError)
        /// The extension exited again, or doesn't start in time; it is restarted by itself.
        case extensionDied(HostError)
        case activated
        case notActivated(HostError)
        case adopted
        /// The device no longer plays the media.
        case isOver
        case notAdopted(HostError)
    }

    package let plays: Bool
    package let cause: HostError
    private var lastError: HostError?
    private var backoff = Backoff(from: .milliseconds(500), upTo: .seconds(5))
    private var pause: Duration

    /// Creates a recovery.
    ///
    /// - Parameters:
    ///   - plays: `true` if a session is to be adopted; otherwise only the route is restored.
    ///   - cause: The reason: the exit of the extension or the daemon, or an error of the device.
    ///   - isLost: `true` if the device was lost, so that the first attempt waits.
    package init(plays: Bool, cause: HostError, isLost: Bool = false) {
        self.plays = plays
        self.cause = cause
        pause = isLost ? backoff.next() : .zero
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
            // Its own previous connection may still block the device.
            pause = backoff.next()
            return .activate(after: pause, isSeeking: true)
        default:
            return .finish(.failed(final))
        }
    }
}

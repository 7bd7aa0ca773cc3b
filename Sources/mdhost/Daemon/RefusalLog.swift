import DBus
import Logging
import Synchronization

/// Logs refused connections, at most one line in ten seconds: a client can try again without a pause.
final class RefusalLog: Sendable {
    private struct State {
        var next: ContinuousClock.Instant?
        var skipped = 0
    }

    private static let pause = Duration.seconds(10)

    private let logger: Logger
    private let state = Mutex(State())

    init(logger: Logger) { self.logger = logger }

    func write(_ refusal: DBusListener.Refusal, now: ContinuousClock.Instant = .now) {
        let skipped: Int? = state.withLock { state in
            if let next = state.next, now < next {
                state.skipped += 1
                return nil
            }
            defer { state = State(next: now + Self.pause) }
            return state.skipped
        }
        guard let skipped else { return }
        var metadata: Logger.Metadata = ["reason": "\(refusal)"]
        if skipped > 0 { metadata["others"] = "\(skipped)" }
        logger.warning("A connection was refused", metadata: metadata)
    }
}

import HostInterface
import Synchronization

/// An object that reports when the tasks started by a method have ended.
///
/// Tasks inherit task-local values and retain them until they end. The last task to release this object triggers the
/// report.
final class StartedWork: Sendable {
    @TaskLocal private static var current: StartedWork?

    /// The time after which a task that continues for its own sake no longer delays the host.
    private static let limit = Duration.seconds(2)

    private let whenOver: @Sendable () -> Void

    private init(whenOver: @escaping @Sendable () -> Void) { self.whenOver = whenOver }

    private let isRefused = Atomic(false)

    deinit { if !isRefused.load(ordering: .relaxed) { whenOver() } }

    /// Runs `body`, and calls `whenOver` after every task it started has ended and again after two seconds, so up to
    /// twice.
    @MainActor
    static func run(
        _ body: @MainActor () throws(HostError) -> Void, whenOver: @escaping @Sendable () -> Void
    ) throws(HostError) {
        var failure: HostError?
        let work = StartedWork(whenOver: whenOver)
        $current.withValue(work) {
            do throws(HostError) { try body() } catch { failure = error }
        }
        if let failure {
            // Answered with its error; the end of the work has nothing to add.
            work.isRefused.store(true, ordering: .relaxed)
            throw failure
        }
        Task {
            try? await Task.sleep(for: limit)
            whenOver()
        }
    }
}

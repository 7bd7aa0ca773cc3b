import HostInterface
import Synchronization

/// Tells when the tasks that a method started are over.
///
/// Tasks inherit task-local values and hold them until they end: the last one to let go of this object ends it.
final class StartedWork: Sendable {
    @TaskLocal private static var current: StartedWork?

    /// A task that goes on for its own sake must not hold up the host.
    private static let limit = Duration.seconds(2)

    private let whenOver: @Sendable () -> Void

    private init(whenOver: @escaping @Sendable () -> Void) { self.whenOver = whenOver }

    private let isRefused = Atomic(false)

    deinit { if !isRefused.load(ordering: .relaxed) { whenOver() } }

    /// Runs `body`; `whenOver` follows once every task it started has ended, or two seconds later, so it may be called
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

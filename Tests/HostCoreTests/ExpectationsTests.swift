import Dispatch
import HostInterface
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct ExpectationsTests {
    /// With an executor of its own, as the host has: leaving it takes a while.
    private actor Caller {
        private nonisolated let executor = QueueExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private let answers = Expectations<Int, String>()
        private var isAnswered = false

        /// Waits for an answer that comes as soon as this actor does anything else.
        func ask() async throws -> String {
            Task { answer() }
            guard !isAnswered else { return "before" }
            return try await answers.outcome(
                1, within: .seconds(5), clock: ContinuousClock(), late: HostError(.timedOut, "It was missed."))
        }

        private func answer() {
            isAnswered = true
            answers.fulfil(1, with: "in time")
        }
    }

    /// Otherwise a caller that checked whether it has to wait would wait for what has just happened.
    @Test func anActorMissesNothingBetweenItsCheckAndTheWait() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<500 { group.addTask { try await Caller().ask() } }
            for try await answer in group { #expect(answer == "in time") }
        }
    }
}

private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "ExpectationsTests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

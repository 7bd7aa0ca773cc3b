import CProcess
import Foundation
import HostClient
import HostInterface
import Logging

/// Makes a running daemon exit without ending its playback: by a request, or by force if it doesn't answer.
struct Replacement {
    /// For the daemon to say that it will.
    private static let answerLimit = Duration.seconds(3)
    /// For it to let go of its lock afterwards: extensions may take a moment to end.
    private static let farewellLimit = Duration.seconds(8)
    /// For the kernel to take its lock away once it is killed.
    private static let deathLimit = Duration.seconds(2)

    let lock: String
    let socket: String
    let logger: Logger

    /// - Returns: Its lock; at once if no daemon runs.
    /// - Throws: ``HostError`` `host-unavailable` if it neither exits nor can be killed.
    func run() async throws -> InstanceLock {
        if let taken = try InstanceLock.take(lock) { return taken }
        // A daemon that is exiting already may break the connection instead of answering.
        let isLeaving = await askToLeave()
        if let taken = try await take(within: isLeaving ? Self.farewellLimit : Self.deathLimit) { return taken }
        guard let holder = InstanceLock.holder(lock) else {
            throw HostError(
                .hostUnavailable, "The daemon that runs does not leave, and \(lock) does not tell who it is.")
        }
        let descriptor = pidfd_open(holder, 0)
        guard descriptor >= 0 else {
            if let taken = try await take(within: Self.deathLimit) { return taken }
            throw HostError(.hostUnavailable, "The daemon that runs, process \(holder), cannot be reached.")
        }
        defer { close(descriptor) }
        // The number is the holder's only while taking the lock fails.
        if let taken = try InstanceLock.take(lock) { return taken }
        guard InstanceLock.holder(lock) == holder else {
            throw HostError(.hostUnavailable, "Another daemon was started meanwhile; try again.")
        }
        logger.warning("The daemon that runs does not answer and is ended", metadata: ["process": "\(holder)"])
        // Not SIGTERM: a daemon that is only slow would end its playback.
        guard pidfd_send_signal(descriptor, SIGKILL, nil, 0) == 0, let taken = try await take(within: Self.deathLimit)
        else {
            throw HostError(.hostUnavailable, "The daemon that runs, process \(holder), cannot be ended.")
        }
        return taken
    }

    /// - Returns: Whether the daemon agreed to exit.
    private func askToLeave() async -> Bool {
        let asking = Task { () async throws in
            let client = try await HostClient.connect(to: socket, launching: false)
            try await client.handOver(within: Self.answerLimit)
            await client.close()
        }
        let timer = Task {
            try await Task.sleep(for: Self.answerLimit)
            asking.cancel()
        }
        defer { timer.cancel() }
        return (try? await asking.value) != nil
    }

    private func take(within limit: Duration) async throws -> InstanceLock? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let taken = try InstanceLock.take(lock) { return taken }
            guard ContinuousClock.now < deadline else { return nil }
            // Sooner than a command that misses the daemon could start another one.
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

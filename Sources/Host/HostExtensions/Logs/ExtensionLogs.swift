import Foundation
import HostCore
import Logging
import Synchronization

/// The logs of all extensions in memory, including earlier processes, with notifications of new lines.
///
/// It uses a lock instead of an actor, because output arrives on many queues and its order must be preserved.
package final class ExtensionLogs: Sendable {
    private struct Log {
        var ring: LogRing
        var followers: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private struct State {
        var logs: [String: Log] = [:]
        var lastFollower = 0
    }

    private let state = Mutex(State())
    private let limits: LogRing.Limits
    private let now: @Sendable () -> Date

    init(limits: LogRing.Limits = .init(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.limits = limits
        self.now = now
    }

    func append(_ message: OutputMessage, to identifier: String, generation: Int, isFromHost: Bool = false) {
        let time = now().timeIntervalSince1970
        let followers = state.withLock { state in
            var log = state.logs.removeValue(forKey: identifier) ?? Log(ring: LogRing(limits: limits))
            log.ring.append(
                time: time, level: message.level.rawValue, generation: generation, isFromHost: isFromHost,
                text: message.text)
            defer { state.logs[identifier] = log }
            return Array(log.followers.values)
        }
        for follower in followers { follower.yield() }
    }

    /// Returns the newest lines, oldest first.
    func last(_ count: Int, of identifier: String) -> [ExtensionLogLine] {
        state.withLock { state in state.logs[identifier].map { Array($0.ring.last(count)) } ?? [] }
    }

    /// Returns at most `count` lines after the line number `sequence`.
    func lines(after sequence: UInt64, count: Int, of identifier: String) -> ExtensionLogBatch {
        state.withLock { state in
            guard let ring = state.logs[identifier]?.ring else { return ExtensionLogBatch(lines: [], skipped: 0) }
            let (lines, skipped) = ring.lines(after: sequence, count: count)
            return ExtensionLogBatch(lines: Array(lines), skipped: skipped)
        }
    }

    /// Yields when lines came, once for any number of them, until it is let go or the log is forgotten.
    func news(of identifier: String) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let follower = state.withLock { state in
            state.lastFollower += 1
            state.logs[identifier, default: Log(ring: LogRing(limits: limits))].followers[state.lastFollower] =
                continuation
            return state.lastFollower
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.logs[identifier]?.followers.removeValue(forKey: follower) }
        }
        return stream
    }

    /// Removes the log of an extension that is no longer installed.
    func remove(_ identifier: String) {
        let log = state.withLock { $0.logs.removeValue(forKey: identifier) }
        for follower in log?.followers.values ?? [:].values { follower.finish() }
    }
}

import Foundation
import Logging
import Synchronization

/// Reads the output of a child continuously, so that the child never blocks on it, and logs a limited amount.
final class OutputReader: Sendable {
    private struct State {
        var lines = OutputLines()
        var limit = LineRateLimit(now: .now)
        var banner: String?
        /// The newest lines that were not logged, oldest first: the last words of a program that printed a lot.
        var unlogged: [OutputLines.Line] = []
    }

    private let state = Mutex(State())
    private let logger: Logger
    private let keep: @Sendable (OutputMessage) -> Void
    private let watch = Mutex<DescriptorWatch?>(nil)
    private let closed: Task<Void, Never>

    /// - Parameters:
    ///   - descriptor: Non-blocking; owned, and closed at its end or by ``finish(within:)``, also if this throws.
    ///   - keep: Gets every line, in order, logged or not.
    init(
        descriptor: Int32, logger: Logger, keep: @escaping @Sendable (OutputMessage) -> Void = { _ in }
    ) throws(SpawnedChild.Failure) {
        self.logger = logger
        self.keep = keep
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        closed = Task { for await _ in stream {} }
        do throws(SpawnedChild.Failure) {
            let watch = try DescriptorWatch(
                descriptor, label: "mdhost.extension.output",
                onReadable: { [weak self] in self?.read(descriptor) },
                onCancel: { [weak self] in
                    // On a busy machine, it may not have been read yet.
                    self?.read(descriptor)
                    close(descriptor)
                    continuation.finish()
                })
            self.watch.withLock { $0 = watch }
        } catch {
            close(descriptor)
            continuation.finish()
            throw error
        }
    }

    deinit { cancel() }

    func cancel() {
        watch.withLock { $0 }?.cancel()
    }

    /// The last words of the program so far.
    var banner: String? {
        state.withLock { state in
            state.banner ?? state.unlogged.lazy.compactMap { CrashBanner.reason(in: $0.text) }.last
        }
    }

    /// Waits for the end of the output, at most for `limit`, then logs the rest of what was printed until then.
    func finish(within limit: Duration) async {
        _ = await finishes(within: limit) { [closed] in await closed.value }
        cancel()
        await closed.value
        let (last, suppressed) = state.withLock { ($0.lines.finish(), $0.limit.suppressed) }
        if let last { log([last]) }
        if suppressed > 0 { logger.notice("\(suppressed) more lines of output were not logged") }
    }

    private func read(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // A program that prints without pause must not keep the cancel handler from running.
        for _ in 0..<16 {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count > 0 {
                let lines = buffer.withUnsafeBytes { bytes in
                    state.withLock { $0.lines.append(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
                }
                log(lines)
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                cancel()
                return
            } else if errno == EAGAIN {
                return
            }
        }
    }

    private func log(_ lines: [OutputLines.Line]) {
        for line in lines {
            let message = OutputMessage(line.text)
            keep(message)
            let (isAdmitted, suppressed) = state.withLock { state in
                let verdict = state.limit.admit(at: .now)
                if !verdict.isAdmitted {
                    if state.unlogged.count >= 64 { state.unlogged.removeFirst() }
                    state.unlogged.append(line)
                }
                return verdict
            }
            guard isAdmitted else { continue }
            if suppressed > 0 { logger.notice("\(suppressed) lines of output were not logged") }
            if let banner = CrashBanner.reason(in: message.text) { state.withLock { $0.banner = banner } }
            logger.log(level: message.level, "\(message.text)")
        }
    }
}

/// Returns a Boolean value that indicates whether `operation` ends within `limit`. Otherwise, it is canceled and
/// continues in the background.
func finishes(within limit: Duration, _ operation: @escaping @Sendable () async -> Void) async -> Bool {
    let (results, continuation) = AsyncStream<Bool>.makeStream()
    let work = Task {
        await operation()
        continuation.yield(true)
    }
    let timer = Task {
        try await Task.sleep(for: limit)
        continuation.yield(false)
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    for await result in results { return result }
    return false
}

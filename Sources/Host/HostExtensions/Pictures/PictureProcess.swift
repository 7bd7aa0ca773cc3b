import Confinement
import Foundation

/// One exchange with a process that gets a picture, on a thread of its own: the request goes there, and all that comes back
/// until it ends is the answer.
struct PictureProcess: Sendable {
    /// More than the program gives a server, in milliseconds.
    static let patience: Int32 = 10_000

    /// What came of it.
    struct Outcome: Sendable {
        var answer: [UInt8] = []
        /// The end of what it printed.
        var output = ""
        /// Why it was not confined or executed.
        var failure: String?
        var isLate = false
    }

    private let child: SpawnedChild
    private let messages: LauncherMessages

    /// - Parameter arguments: The launcher's, with the program.
    static func start(
        launcher: String, arguments: [String], environment: [String: String]
    ) async throws(SpawnedChild.Failure) -> Self {
        let child = try await SpawnedChild.start(launcher, arguments: arguments, environment: environment)
        return Self(child: child, messages: LauncherMessages(descriptor: child.messages))
    }

    /// Ends the process in any case.
    func exchange(_ request: [UInt8], longest: Int) async -> Outcome {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: run(request, longest: longest)) }
            thread.name = "mdhost.picture"
            thread.stackSize = 256 << 10
            thread.start()
        }
    }

    private func run(_ request: [UInt8], longest: Int) -> Outcome {
        defer {
            // With all that it started, though it may start nothing.
            kill(-child.processID, SIGKILL)
            waitpid(child.processID, nil, 0)
            for descriptor in [child.link, child.output, child.processDescriptor] { close(descriptor) }
        }
        var outcome = Outcome()
        _ = fcntl(child.link, F_SETFL, O_NONBLOCK)
        let end = ContinuousClock.now + .milliseconds(Int(Self.patience))
        // It reads all before it answers.
        switch send(request, until: end) {
        case true?: outcome.isLate = !read(into: &outcome, longest: longest, until: end)
        case false?: outcome.isLate = true
        case nil: break
        }
        if case .failed(let reason) = messages.take() { outcome.failure = reason }
        return outcome
    }

    /// - Returns: Whether all was sent in time; `nil` if nobody takes it.
    private func send(_ request: [UInt8], until end: ContinuousClock.Instant) -> Bool? {
        var rest = request[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(child.link, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            guard errno == EAGAIN || errno == EINTR else { return nil }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            var watched = pollfd(fd: child.link, events: Int16(POLLOUT), revents: 0)
            _ = poll(&watched, 1, Int32(left / .milliseconds(1)) + 1)
        }
        return true
    }

    /// - Returns: Whether it came to its end in time.
    private func read(into outcome: inout Outcome, longest: Int, until end: ContinuousClock.Instant) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var watched = [child.link, child.output].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while watched[0].fd >= 0 {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            _ = poll(&watched, 2, Int32(left / .milliseconds(1)) + 1)
            for index in watched.indices where watched[index].revents != 0 {
                let count = Foundation.read(watched[index].fd, &buffer, buffer.count)
                if count < 0, errno == EAGAIN || errno == EINTR { continue }
                // A number that poll leaves alone.
                guard count > 0 else {
                    watched[index].fd = -1
                    continue
                }
                if index == 0 {
                    outcome.answer += buffer[..<count]
                    if outcome.answer.count > longest { return true }
                } else {
                    outcome.output = String(
                        (outcome.output + String(decoding: buffer[..<count], as: UTF8.self)).suffix(512))
                }
            }
        }
        return true
    }
}

import Dispatch
import Foundation
import Synchronization

/// The result of a finished program.
struct CommandResult: Sendable, CustomStringConvertible {
    var status: Int32
    var output: String
    var errors: String
    var duration: Duration

    var description: String { "exit \(status) in \(duration)\n\(output)\n\(errors)" }

    /// The JSON value of the first line of the output, or of the errors if there is no output.
    var json: Any? {
        let text = output.isEmpty ? errors : output
        let line = text.split(separator: "\n").first.map { Data($0.utf8) }
        return line.flatMap { try? JSONSerialization.jsonObject(with: $0) }
    }
}

/// A program that runs beside the test; ended with ``stop()``.
///
/// Not Foundation's `Process`: that takes a program for running until everything it started has ended as well.
final class RunningCommand: Sendable {
    let processID: Int32
    private let folder: URL
    private let exit: Task<Int32, Never>
    /// The writing end of an input that never comes.
    private let inputEnd: Int32?

    /// - Parameters:
    ///   - command: Absolute path and arguments.
    ///   - environment: Added to this process's own.
    ///   - input: Standard input's text; `nil` for none, which reads as its end.
    ///   - waitsForInput: Standard input stays open and brings nothing.
    init(
        _ command: [String], environment: [String: String] = [:], input: String? = nil, waitsForInput: Bool = false
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-bad-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data((input ?? "").utf8).write(to: folder.appending(path: "input"))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var pipeEnds: [Int32] = [-1, -1]
        if waitsForInput {
            guard pipe(&pipeEnds) == 0 else { throw WaitedInVain(description: "a pipe: errno \(errno)") }
            for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            posix_spawn_file_actions_adddup2(&actions, pipeEnds[0], 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, folder.path + "/input", O_RDONLY, 0)
        }
        inputEnd = waitsForInput ? pipeEnds[1] : nil
        for (descriptor, name) in [(Int32(1), "output"), (2, "errors")] {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, folder.path + "/" + name, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // This process's threads block signals and a shell may have it ignore some; the program is to inherit neither.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        let words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        let pairs: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for text in words + pairs { free(text) } }
        let (starts, started) = AsyncStream.makeStream(of: Int32.self)
        let birth = Birth()
        let spawn = SpawnArguments(program: command[0], actions: actions, words: words, variables: pairs)
        // One thread starts the program and stays with it: `scripts/lab in` ends its program when the thread that
        // started it ends (PR_SET_PDEATHSIG of prctl(2)), and threads of the pool do end.
        Thread.detachNewThread {
            guard let processID = birth.tell(spawn.start()) else { return started.finish() }
            var status: Int32 = 0
            while waitpid(processID, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            started.yield(signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
            started.finish()
        }
        let result = birth.await()
        if waitsForInput { close(pipeEnds[0]) }
        processID = try result.get()
        exit = Task {
            for await status in starts { return status }
            return -1
        }
    }

    deinit {
        if let inputEnd { close(inputEnd) }
        try? FileManager.default.removeItem(at: folder)
    }

    var output: String { text("output") }
    var errors: String { text("errors") }

    private func text(_ name: String) -> String {
        String(decoding: (try? Data(contentsOf: folder.appending(path: name))) ?? Data(), as: UTF8.self)
    }

    func waitForExit() async -> Int32 { await exit.value }

    func send(_ signal: Int32) { kill(processID, signal) }

    /// Ends it, by force if it doesn't react.
    @discardableResult
    func stop(patience: Duration = .seconds(5)) async -> Int32 {
        send(SIGTERM)
        let force = Task {
            try await Task.sleep(for: patience)
            send(SIGKILL)
        }
        defer { force.cancel() }
        return await exit.value
    }
}

/// The arguments of posix_spawn(3), valid as long as the caller waits.
private struct SpawnArguments: @unchecked Sendable {
    // The pointers are read by one other thread only, while the thread that owns them waits for it.
    let program: String
    var actions: posix_spawn_file_actions_t
    let words: [UnsafeMutablePointer<CChar>?]
    let variables: [UnsafeMutablePointer<CChar>?]

    func start() -> Result<Int32, WaitedInVain> {
        var child = pid_t()
        var actions = actions
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the pool block signals, and their children would never receive a SIGTERM.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let result = posix_spawn(&child, program, &actions, &attributes, words, variables)
        return result == 0 ? .success(child) : .failure(WaitedInVain(description: "\(program): errno \(result)"))
    }
}

/// Passes the outcome of a start from its thread to the waiting one.
private final class Birth: Sendable {
    private let result = Mutex<Result<Int32, WaitedInVain>?>(nil)
    private let isKnown = DispatchSemaphore(value: 0)

    func tell(_ result: Result<Int32, WaitedInVain>) -> Int32? {
        self.result.withLock { $0 = result }
        isKnown.signal()
        return try? result.get()
    }

    func await() -> Result<Int32, WaitedInVain> {
        isKnown.wait()
        return result.withLock { $0 } ?? .failure(WaitedInVain(description: "a start"))
    }
}

enum Command {
    /// Runs a program to its end; after `limit` it is ended and the status is 124.
    static func run(
        _ command: [String], environment: [String: String] = [:], input: String? = nil,
        within limit: Duration = .seconds(40)
    ) async throws -> CommandResult {
        let start = ContinuousClock.now
        let running = try RunningCommand(command, environment: environment, input: input)
        let late = Task {
            try await Task.sleep(for: limit * slowness)
            running.send(SIGKILL)
        }
        var status = await running.waitForExit()
        late.cancel()
        if status == 128 + SIGKILL { status = 124 }
        return CommandResult(
            status: status, output: running.output, errors: running.errors, duration: ContinuousClock.now - start)
    }
}

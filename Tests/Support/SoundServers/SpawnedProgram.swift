import Foundation

package struct SoundServerFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// A program that was started here; ended by ``end()``.
package final class SpawnedProgram: Sendable {
    package let processID: Int32
    private let exit: Task<Int32, Never>

    /// - Parameters:
    ///   - words: The program, found on the path, and its arguments.
    ///   - environment: Changes; an empty value removes a variable.
    ///   - log: The file to which its output is appended.
    package init(_ words: [String], environment: [String: String], log: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Threads of the pool block signals, and their children would never receive a SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let changed = ProcessInfo.processInfo.environment.merging(environment) { $1 }.filter { !$0.value.isEmpty }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = changed.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child = pid_t()
        let result = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
        guard result == 0 else { throw SoundServerFailure(description: "\(words[0]): errno \(result)") }
        let process = child
        processID = process
        exit = Task {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    var status: Int32 = 0
                    while waitpid(process, &status, 0) < 0, errno == EINTR {}
                    continuation.resume(returning: status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F))
                }
            }
        }
    }

    /// Its exit status; a negative signal.
    package var status: Int32 { get async { await exit.value } }

    package func signal(_ number: Int32) { kill(processID, number) }

    @discardableResult
    package func end(_ number: Int32 = SIGTERM) async -> Int32 {
        signal(number)
        return await status
    }
}

/// Returns when the condition holds.
///
/// - Throws: ``SoundServerFailure`` after the limit.
package func waitUntil(
    _ what: String, within limit: Duration = .seconds(15), _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            throw SoundServerFailure(description: "waited \(limit) for \(what)")
        }
        try await Task.sleep(for: .milliseconds(20))
    }
}

package import CProcess
import Foundation

/// A program that is started in a session of its own and outlives this process.
package enum DetachedProgram {
    /// The error number of posix_spawn(3).
    package struct Failure: Error {
        package let code: Int32

        package init(code: Int32) { self.code = code }

        package var reason: String { String(cString: strerror(code)) }
    }

    /// Starts a program with default signals. Its standard input is empty.
    ///
    /// - Parameters:
    ///   - program: The absolute path.
    ///   - words: The arguments after the program's name.
    ///   - descriptors: The descriptors it gets, by their numbers there. All others are closed, except this process's
    ///     standard output and error unless they are replaced.
    ///   - folder: The working folder; `nil` for this process's.
    package static func start(
        _ program: String, _ words: [String], descriptors: [Int32: Int32], folder: String? = nil
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (number, descriptor) in descriptors.sorted(by: { $0.key < $1.key }) {
            posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, max(2, descriptors.keys.max() ?? 2) + 1)
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Dispatch's threads block signals and commands ignore some; the program must inherit neither.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, process_spawn_new_session | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let result = posix_spawn(&child, program, &actions, &attributes, arguments, environ)
        guard result == 0 else { throw Failure(code: result) }
        return child
    }
}

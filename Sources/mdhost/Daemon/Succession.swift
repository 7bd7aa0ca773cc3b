import CProcess
import Dispatch
import Foundation
import Logging

/// Starts the installed version of this program as the next daemon when the process gets SIGHUP, as after an upgrade.
///
/// The next daemon takes over by itself (``Replacement``), so playback continues; this one goes on if that fails. In a
/// terminal, SIGHUP keeps its usual meaning: the terminal is gone.
final class Succession {
    private let source: any DispatchSourceSignal

    /// - Parameters:
    ///   - listening: The descriptor of the socket from the service manager, which the next daemon gets as well.
    /// - Returns: `nil` in a terminal.
    init?(arguments: [String], listening: Int32?, logger: Logger) {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal < 0 else {
            close(terminal)
            return nil
        }
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(
            signal: SIGHUP, queue: DispatchQueue(label: "org.mdhost.succession"))
        source.setEventHandler {
            do {
                let process = try Self.spawn(arguments, listening: listening)
                logger.notice("The next daemon was started", metadata: ["process": "\(process)"])
            } catch {
                logger.error("The next daemon can't be started", metadata: ["error": "\(error)"])
            }
        }
        source.resume()
    }

    deinit { source.cancel() }

    private static func spawn(_ arguments: [String], listening: Int32?) throws -> pid_t {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        // The kernel's mark of a file that was replaced.
        let program = own.hasSuffix(" (deleted)") ? String(own.dropLast(" (deleted)".count)) : own
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        var words = [program] + arguments
        if let listening {
            posix_spawn_file_actions_adddup2(&actions, listening, SocketActivation.firstDescriptor)
            words += ["--listening-descriptor", "\(SocketActivation.firstDescriptor)"]
        }
        posix_spawn_file_actions_addclosefrom_np(
            &actions, SocketActivation.firstDescriptor + (listening == nil ? 0 : 1))
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Ignored signals are inherited, and so are those that Dispatch's threads block.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, process_spawn_new_session | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        let result = posix_spawn(&child, program, &actions, &attributes, pointers, environ)
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EIO) }
        // Without this it would stay as a zombie if it fails; if it succeeds, this process is the first to go.
        Thread.detachNewThread { [child] in
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
        return child
    }
}

import Dispatch
import Foundation
import HostClient
import Logging

/// Starts the installed version of this program as the next daemon when the process gets SIGHUP, as after an upgrade.
///
/// The next daemon takes over by itself (``Replacement``), so playback continues; this one continues to run if that
/// fails. In a terminal, SIGHUP keeps its usual meaning: the terminal is gone.
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
            do throws(DetachedProgram.Failure) {
                let process = try Self.spawn(arguments, listening: listening)
                logger.notice("The next daemon was started", metadata: ["process": "\(process)"])
            } catch {
                logger.error("The next daemon can't be started", metadata: ["error": "\(error.reason)"])
            }
        }
        source.resume()
    }

    deinit { source.cancel() }

    private static func spawn(_ arguments: [String], listening: Int32?) throws(DetachedProgram.Failure) -> pid_t {
        guard let own = InstalledPrograms.own else { throw DetachedProgram.Failure(code: errno) }
        // The kernel's mark of a file that was replaced.
        let program = own.hasSuffix(" (deleted)") ? String(own.dropLast(" (deleted)".count)) : own
        var words = arguments
        var descriptors: [Int32: Int32] = [:]
        if let listening {
            descriptors[SocketActivation.firstDescriptor] = listening
            words += ["--listening-descriptor", "\(SocketActivation.firstDescriptor)"]
        }
        let child = try DetachedProgram.start(program, words, descriptors: descriptors)
        // Without this it would stay as a zombie if it fails; if it succeeds, this process is the first to go.
        Thread.detachNewThread { [child] in
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
        return child
    }
}

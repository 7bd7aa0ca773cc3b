import Foundation
import HostInterface
import Synchronization

/// The capabilities of the terminal on a descriptor.
struct Terminal: Sendable {
    /// A Boolean value that indicates whether a person reads the output: a terminal that isn't `dumb`.
    let isInteractive: Bool
    /// A Boolean value that indicates whether to use colours: interactive, and `NO_COLOR` (no-color.org) isn't set.
    let usesColour: Bool
    private let descriptor: Int32

    static let output = Terminal(STDOUT_FILENO)
    static let errors = Terminal(STDERR_FILENO)

    private init(_ descriptor: Int32) {
        let environment = ProcessInfo.processInfo.environment
        self.descriptor = descriptor
        isInteractive = isatty(descriptor) == 1 && environment["TERM"] != "dumb"
        usesColour = isInteractive && environment["NO_COLOR", default: ""].isEmpty
    }

    /// The current number of columns; 80 if the terminal doesn't report it.
    var width: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The current number of rows; 24 if the terminal doesn't report it.
    var height: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
        return Int(size.ws_row)
    }

    /// `nil` if the terminal doesn't report it.
    var size: TerminalSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(
            columns: Int(size.ws_col), rows: Int(size.ws_row), width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
    }

    /// The kind of the terminal, for a terminal.
    static var kind: String { ProcessInfo.processInfo.environment["TERM"] ?? "" }

    /// The error number of the first failed write of the command's answer; 0 for none.
    private static let failure = Atomic<Int32>(0)

    /// Reports an answer that nobody can read completely, such as one in a file on a full disk.
    ///
    /// - Throws: ``HostError`` `internal-failure` if standard output didn't take all of it.
    static func checkOutput() throws(HostError) {
        let code = failure.load(ordering: .relaxed)
        guard code != 0 else { return }
        throw HostError(.internalFailure, "The output can't be written: \(String(cString: strerror(code))).")
    }

    /// Writes the text; ``checkOutput()`` tells of an error.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { return fail(errno) }
                // Another program that has the same terminal or pipe made it non-blocking.
                var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&event, 1, -1)
                continue
            }
            bytes = bytes.dropFirst(count)
        }
    }

    private func fail(_ code: Int32) {
        guard descriptor == STDOUT_FILENO else { return }
        _ = Self.failure.compareExchange(expected: 0, desired: code, ordering: .relaxed)
    }
}

/// Colours of this program, by meaning.
enum Style: String, Sendable {
    case heading = "1"
    case dim = "2"
    case good = "32"
    case warning = "33"
    case bad = "31"
    case accent = "36"

    func callAsFunction(_ text: String, on terminal: Terminal = .output) -> String {
        terminal.usesColour ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}

import Foundation
import Synchronization

/// The mode of the terminal on standard input: changed for a while, and put back even when the program leaves in between.
enum TerminalMode {
    private static let saved = Mutex<termios?>(nil)

    /// Changes the mode.
    ///
    /// - Returns: `true` on success: standard input is a terminal and this process is in its foreground.
    static func change(_ change: (inout termios) -> Void) -> Bool {
        var mode = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(), tcgetattr(STDIN_FILENO, &mode) == 0
        else {
            return false
        }
        let isFirst = saved.withLock { saved in
            defer { if saved == nil { saved = mode } }
            return saved == nil
        }
        if isFirst { atexit { TerminalMode.restore() } }
        change(&mode)
        return tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0
    }

    /// Discards input that nobody read yet.
    static func discardInput() { tcflush(STDIN_FILENO, TCIFLUSH) }

    /// Puts the mode back as it was before the first ``change(_:)``.
    static func restore() {
        guard var mode = saved.withLock({ $0 }) else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    }
}

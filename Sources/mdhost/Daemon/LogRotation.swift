import Foundation
import Logging
import Synchronization

/// Starts a new log file for the daemon when the old one is large, and keeps the old one as `daemon.log.1`.
///
/// Only where standard error is that file: under systemd the journal bounds itself.
final class LogRotation: Sendable {
    /// Bytes. A log takes at most twice as much, plus the lines written between two checks.
    static let defaultLimit = 4 << 20

    private let path: String
    private let limit: Int
    private let descriptors: [Int32]
    private let isBusy = Mutex(())

    /// - Parameter descriptors: The descriptors of the file; the size of the first is checked.
    init(path: String, limit: Int = defaultLimit, descriptors: [Int32] = [STDERR_FILENO, STDOUT_FILENO]) {
        self.path = path
        self.limit = limit
        self.descriptors = descriptors
    }

    /// Rotates the file if it exceeds the limit. A failure leaves everything as it is.
    func rotateIfNeeded() {
        isBusy.withLock { _ in
            guard let main = descriptors.first, let open = status(of: main), Int(open.st_size) > limit,
                isThisFile(open)
            else { return }
            // Each only if it leads there: standard output may be elsewhere.
            let redirected = descriptors.filter { isSame(status(of: $0), open) }
            guard rename(path, path + ".1") == 0 else { return }
            let new = Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard new >= 0 else { return }
            for descriptor in redirected { dup2(new, descriptor) }
            close(new)
        }
    }

    private func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    private func isThisFile(_ open: stat) -> Bool {
        var named = stat()
        return lstat(path, &named) == 0 && named.st_mode & S_IFMT == S_IFREG && isSame(named, open)
    }

    private func isSame(_ first: stat?, _ second: stat) -> Bool {
        first?.st_ino == second.st_ino && first?.st_dev == second.st_dev
    }
}

/// Looks after the size of the log file with every line.
struct RotatingLogHandler<Base: LogHandler>: LogHandler {
    private var base: Base
    private let rotation: LogRotation

    init(_ base: Base, _ rotation: LogRotation) {
        self.base = base
        self.rotation = rotation
    }

    var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        rotation.rotateIfNeeded()
        base.log(event: event)
    }
}

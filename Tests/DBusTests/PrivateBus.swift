import DBus
import Dispatch
import Foundation
import Glibc
import Testing

/// A `dbus-daemon` that belongs to one test.
struct PrivateBus: Sendable {
    static let isAvailable = executable("dbus-daemon") != nil

    let address: String
    private let daemon: ChildProcess
    private let folder: TemporaryFolder

    /// - Parameter isOpen: `true` if other users may use it.
    init(isOpen: Bool = false) async throws {
        folder = try TemporaryFolder()
        let path = try #require(executable("dbus-daemon"))
        let settings = "\(folder.path)/open.conf"
        if isOpen {
            chmod(folder.path, 0o755)
            try Data(Self.openSettings(folder.path).utf8).write(to: URL(filePath: settings))
        }
        daemon = try ChildProcess(
            path,
            [
                isOpen ? "--config-file=\(settings)" : "--session", "--nofork", "--nopidfile", "--nosyslog",
                "--print-address=1",
                "--address=unix:path=\(folder.path)/bus",
            ])
        // The address comes when the daemon listens.
        address = await daemon.text(until: "\n")
        try #require(address.hasPrefix("unix:"))
    }

    private static func openSettings(_ folder: String) -> String {
        """
        <busconfig><type>session</type><auth>EXTERNAL</auth><listen>unix:path=\(folder)/bus</listen>
        <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/></policy></busconfig>
        """
    }

    func stop() async {
        kill(daemon.identifier, SIGTERM)
        _ = await daemon.wait()
        folder.remove()
    }
}

/// A program whose output can be read.
struct ChildProcess: Sendable {
    let identifier: pid_t
    private let output: Int32

    init(_ path: String, _ arguments: [String]) throws {
        let (ours, theirs) = try socketPair()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, theirs, 1)
        posix_spawn_file_actions_adddup2(&actions, theirs, 2)
        // Dispatch's threads block signals, and a child inherits that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([path] + arguments).map { strdup($0) }
        let settings = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "SYSTEMD_COLORS=0", "SYSTEMD_PAGER=", "COLUMNS=200"]
        let variables = settings.map { strdup($0) }
        defer { for word in words + variables { free(word) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, path, &actions, &attributes, words + [nil], variables + [nil])
        close(theirs)
        output = ours
        identifier = child
        try #require(status == 0)
    }

    /// Returns the output up to the first `end` or the exit.
    func text(until end: Character? = nil) async -> String {
        await blocking {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while read(output, &byte, 1) == 1, end?.asciiValue != byte { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// - Returns: The exit status as `waitpid` gives it; 0 is success.
    func wait() async -> Int32 {
        await blocking {
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            close(output)
            return status
        }
    }

    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }
}

func executable(_ name: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + name }.first { access($0, X_OK) == 0 }
}

/// Runs a program to its end.
func run(_ path: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
    let child = try ChildProcess(path, arguments)
    let output = await child.text()
    return (await child.wait(), output)
}

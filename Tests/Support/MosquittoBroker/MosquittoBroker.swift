import Foundation
import Synchronization
import TestConditions

/// A real broker on loopback with the configuration of `examples/push-broker`, in a folder of its own.
package final class MosquittoBroker: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private static let program = "/usr/sbin/mosquitto"
    package static let isAvailable = [program, "/usr/bin/mosquitto_passwd"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    package let folder: String
    package let port: Int
    private let isSecure: Bool
    private let process = Mutex<Int32?>(nil)

    /// Writes the configuration; ``start()`` starts the broker.
    ///
    /// - Parameters:
    ///   - users: Known names besides `gateway`; see ``password(of:)``.
    ///   - isSecure: `true` for TLS, with ``authority``.
    ///   - changes: Lines of the configuration and their replacements.
    package init(users: [String], isSecure: Bool = false, changes: [String: String] = [:]) throws {
        self.isSecure = isSecure
        folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-broker-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        port = try freePort()
        let example = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../examples/push-broker")
        var lines = try String(contentsOf: example.appending(path: "mosquitto.conf"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        lines = lines.compactMap { line in
            switch line {
            case "listener 8883": "listener \(port) 127.0.0.1"
            case "certfile broker.crt", "keyfile broker.key": isSecure ? line : nil
            default: changes[line] ?? line
            }
        }
        // Otherwise it becomes a user that cannot come in here.
        if getuid() == 0 { lines.append("user root") }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: folder + "/mosquitto.conf"))
        try FileManager.default.copyItem(atPath: example.path + "/acl", toPath: folder + "/acl")
        try Data().write(to: URL(filePath: folder + "/passwords"))
        for user in users + ["gateway"] {
            let status = try Self.run(
                ["/usr/bin/mosquitto_passwd", "-b", folder + "/passwords", user, Self.password(of: user)], in: folder)
            guard status == 0 else { throw Failure(description: "mosquitto_passwd: \(status)") }
        }
        if isSecure { try BrokerCertificates.write(to: folder) }
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    package static func password(of user: String) -> String { "secret of " + user }

    /// PEM file of its certificate authority.
    package var authority: String { folder + "/ca.crt" }

    /// As `user`, for the commands.
    package func address(_ user: String) -> String { "\(isSecure ? "mqtts" : "mqtt")://\(user)@127.0.0.1:\(port)" }

    /// A file with a user's password, as the commands want it.
    package func passwordFile(_ user: String, _ password: String? = nil) throws -> String {
        let path = folder + "/password-" + UUID().uuidString
        let text = (password ?? Self.password(of: user)) + "\n"
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw Failure(description: path) }
        return path
    }

    /// Returns when it can be connected to.
    package func start() async throws {
        let started = try Self.spawn([Self.program, "-c", "mosquitto.conf"], in: folder, output: folder + "/log")
        process.withLock { $0 = started }
        let deadline = ContinuousClock.now + .seconds(15)
        while !isListening {
            guard ContinuousClock.now < deadline else { throw Failure(description: "no broker: \(log)") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Stops it in an orderly way, so that it saves its state. Returns when it has exited.
    package func stop() async throws { try await end(SIGTERM) }

    /// Kills it.
    package func kill() {
        guard let running = process.withLock({ $0.take() }) else { return }
        _ = Glibc.kill(running, SIGKILL)
        var status: Int32 = 0
        waitpid(running, &status, 0)
    }

    package var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

    private func end(_ signal: Int32) async throws {
        guard let running = process.withLock({ $0.take() }) else { return }
        _ = Glibc.kill(running, signal)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var status: Int32 = 0
                waitpid(running, &status, 0)
                continuation.resume()
            }
        }
    }

    private var isListening: Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = Self.loopback(port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    private static func run(_ words: [String], in folder: String) throws -> Int32 {
        let child = try spawn(words, in: folder, output: "/dev/null")
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return status
    }

    private static func spawn(_ words: [String], in folder: String, output: String) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Threads of the pool block signals, and their children would never receive a SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments: [UnsafeMutablePointer<CChar>?] =
            (["/usr/bin/env", "--chdir=" + folder] + words).map {
                strdup($0)
            } + [nil]
        defer { for text in arguments { free(text) } }
        var child = pid_t()
        let result = posix_spawn(&child, "/usr/bin/env", &actions, &attributes, arguments, environ)
        guard result == 0 else { throw Failure(description: "env: errno \(result)") }
        return child
    }
}

import CProcess
import Foundation
import HostClient
import HostInterface
import PacketSockets
import Synchronization

/// Carries out what the confined page asks for. It understands three words and takes no arguments.
final class KeeperDesk: Sendable {
    private static let most = 8
    /// Milliseconds that the doctor may take.
    private static let doctorPatience: Int32 = 60_000
    /// The page; a descriptor that it passed on is of no use to another process.
    private let page: pid_t
    private let open = Mutex(0)
    /// The simulated device; 0 for none.
    private let demo = Mutex<pid_t>(0)

    private let program: @Sendable () throws(HostError) -> String
    private let connect: @Sendable () throws(HostError) -> Int32

    /// - Parameters:
    ///   - page: The process that may ask.
    ///   - program: The path of `mdhost`.
    ///   - connect: Returns a socket that is connected to the daemon.
    init(
        page: pid_t, program: @escaping @Sendable () throws(HostError) -> String = HostLauncher.program,
        connect: @escaping @Sendable () throws(HostError) -> Int32 = HostClient.connectedDescriptor
    ) {
        self.page = page
        self.program = program
        self.connect = connect
    }

    /// Returns the keeper's end and the page's end of a new socket.
    ///
    /// - Throws: ``HostError`` `limit-exceeded`.
    static func sockets() throws(HostError) -> (keeper: Int32, page: Int32) {
        guard let (keeper, page) = PacketSocket.pair(),
            // Messages from before have no sender.
            process_receive_senders(keeper) == 0
        else { throw HostError(.limitExceeded, "This process is short of descriptors.") }
        return (keeper, page)
    }

    /// Serves until the page has closed its end.
    func serve(_ socket: Int32) {
        // A word that is too long is cut off, and none that is known.
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            var (answer, sender): (Int32, pid_t) = (-1, 0)
            let count = process_receive_descriptor(socket, &bytes, bytes.count, &answer, &sender)
            if count < 0, errno == EINTR { continue }
            // An empty message has a sender, the end of the socket has none.
            guard count > 0 || count == 0 && sender != 0 else { return }
            guard answer >= 0 else { continue }
            guard sender == page,
                let request = KeeperRequest(rawValue: String(decoding: bytes[..<count], as: UTF8.self)), take()
            else {
                close(answer)
                continue
            }
            Thread.detachNewThread { [answer] in
                self.carryOut(request, answer)
                close(answer)
                self.open.withLock { $0 -= 1 }
            }
        }
    }

    private func take() -> Bool {
        open.withLock { open in
            guard open < Self.most else { return false }
            open += 1
            return true
        }
    }

    /// Ends the simulated device.
    func end() {
        demo.withLock { demo in
            if demo > 0 { kill(demo, SIGTERM) }
        }
    }

    private func carryOut(_ request: KeeperRequest, _ answer: Int32) {
        do throws(HostError) {
            switch request {
            case .connect:
                let connection = try connect()
                defer { close(connection) }
                let bytes = KeeperAnswer.done.bytes
                _ = process_send_descriptor(answer, bytes, bytes.count, connection)
            case .doctor: try runDoctor(answer)
            case .demo:
                try startDemo()
                Self.send(.done, answer)
            }
        } catch {
            Self.send(.failed(error), answer)
        }
    }

    private static func send(_ answer: KeeperAnswer, _ descriptor: Int32) {
        let bytes = answer.bytes
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private func runDoctor(_ answer: Int32) throws(HostError) {
        let child = try spawn(["doctor", "--json"], output: answer)
        // It waits for whoever reads its output.
        let handle = pidfd_open(child, 0)
        var watched = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        if handle < 0 || poll(&watched, 1, Self.doctorPatience) == 0 { kill(child, SIGKILL) }
        if handle >= 0 { close(handle) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
    }

    private func startDemo() throws(HostError) {
        try demo.withLock { demo throws(HostError) in
            if demo > 0, waitpid(demo, nil, WNOHANG) == 0 { return }
            demo = try spawn(["demo", "--open", "--json"], output: nil)
        }
    }

    /// Starts `mdhost`, with its output at `output` or nowhere.
    private func spawn(_ words: [String], output: Int32?) throws(HostError) -> pid_t {
        let program = try program()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        // The signals that a thread blocks would be blocked in the program as well.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let result = posix_spawn(&child, program, &actions, &attributes, arguments, environ)
        guard result == 0 else {
            throw HostError(.hostUnavailable, "\(program) cannot be started: \(String(cString: strerror(result))).")
        }
        return child
    }
}

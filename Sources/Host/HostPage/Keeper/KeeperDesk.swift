import CProcess
import Foundation
import HostClient
import HostInterface
import Synchronization

/// Carries out what the confined page asks for. It understands three words and takes no arguments.
final class KeeperDesk: Sendable {
    private static let most = 8
    private let open = Mutex(0)
    /// The simulated device; 0 for none.
    private let demo = Mutex<pid_t>(0)

    /// Serves until the page has closed its end.
    func serve(_ socket: Int32) {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            var answer: Int32 = -1
            let count = process_receive_descriptor(socket, &bytes, bytes.count, &answer)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            guard answer >= 0 else { continue }
            let isTaken = open.withLock { open in
                guard open < Self.most else { return false }
                open += 1
                return true
            }
            guard isTaken, let request = KeeperRequest(rawValue: String(decoding: bytes[..<count], as: UTF8.self))
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
                let connection = try HostClient.connectedDescriptor()
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
        let program = try HostLauncher.program()
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
        let arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let result = posix_spawn(&child, program, &actions, nil, arguments, environ)
        guard result == 0 else {
            throw HostError(.hostUnavailable, "\(program) cannot be started: \(String(cString: strerror(result))).")
        }
        return child
    }
}

import CProcess
import Glibc
package import HostClient
package import HostInterface
import NIOPosix

/// Asks the keeper for what this process may not do itself.
package struct KeeperHelper: PageHelper {
    private static let connectPatience = 20
    private static let doctorPatience = 30
    private static let longestReport = 4 << 20

    /// The socket to the keeper.
    private let descriptor: Int32

    package init(descriptor: Int32) { self.descriptor = descriptor }

    package func connect() async throws(HostError) -> HostClient {
        let answer = try await ask(.connect, patience: Self.connectPatience)
        guard let socket = answer.descriptor, let client = try await HostClient.adopt(socket, "its socket") else {
            throw HostError(.hostUnavailable, "The daemon doesn't answer.")
        }
        return client
    }

    package func demo() async throws(HostError) { _ = try await ask(.demo, patience: Self.connectPatience) }

    package func doctor() async throws(HostError) -> [UInt8] {
        try await ask(.doctor, patience: Self.doctorPatience).rest
    }

    private struct Answer: Sendable {
        var descriptor: Int32?
        /// What follows the answer.
        var rest: [UInt8]
    }

    private func ask(_ request: KeeperRequest, patience: Int) async throws(HostError) -> Answer {
        let descriptor = descriptor
        let result: Result<Answer, HostError>? = try? await NIOThreadPool.singleton.runIfActive {
            do throws(HostError) {
                return .success(try Self.ask(request, over: descriptor, patience: patience))
            } catch {
                return .failure(error)
            }
        }
        return try (result ?? .failure(HostError(.cancelled, "Cancelled."))).get()
    }

    private static let gone = HostError(.hostUnavailable, "The process that started the page is gone.")

    private static func ask(
        _ request: KeeperRequest, over keeper: Int32, patience: Int
    ) throws(HostError) -> Answer {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw HostError(.limitExceeded, "The page is short of descriptors.")
        }
        let own = pair[0]
        defer { close(own) }
        let word = Array(request.rawValue.utf8)
        let sent = process_send_descriptor(keeper, word, word.count, pair[1])
        close(pair[1])
        guard sent == word.count else { throw gone }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(own, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: KeeperAnswer.longest)
        var (passed, sender): (Int32, pid_t) = (-1, 0)
        let count = process_receive_descriptor(own, &bytes, bytes.count, &passed, &sender)
        var answer = Answer(descriptor: passed >= 0 ? passed : nil, rest: [])
        guard count > 0 else {
            throw count < 0 ? HostError(.timedOut, "The page's helper doesn't answer.") : gone
        }
        switch (request, KeeperAnswer(Array(bytes[..<count]))) {
        case (_, .failed(let error)): throw error
        case (.doctor, _):
            answer.rest = try rest(of: own, after: bytes[..<count])
        case (_, .done): break
        case (_, nil): throw HostError(.internalFailure, "The page's helper answers what can't be understood.")
        }
        return answer
    }

    /// Reads to the end.
    private static func rest(of descriptor: Int32, after start: ArraySlice<UInt8>) throws(HostError) -> [UInt8] {
        var all = Array(start)
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while all.count < longestReport {
            let count = read(descriptor, &bytes, bytes.count)
            if count == 0 { return all }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw HostError(.timedOut, "The doctor takes too long.") }
            all += bytes[..<count]
        }
        throw HostError(.limitExceeded, "The doctor's report is too long.")
    }
}

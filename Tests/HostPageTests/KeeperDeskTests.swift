import CProcess
import Foundation
import HostClient
import HostInterface
import Synchronization
import Testing

@testable import HostPage

/// Attacks of a confined page on its keeper: it can say three words, and nothing else.
@Suite(.timeLimit(.minutes(1))) struct KeeperDeskTests {
    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func increase() { count.withLock { $0 += 1 } }
    }

    /// A keeper whose `mdhost` notes its arguments, and then writes without end, or waits if it is a simulated device.
    private final class Keeper: Sendable {
        let page: Int32
        let connections = Counter()
        private let desk: KeeperDesk
        private let folder: String
        private let ended = AsyncStream.makeStream(of: Void.self)

        init(page process: pid_t = getpid()) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-keeper-\(UUID().uuidString)")
                .path
            self.folder = folder
            try HostFolders.prepare(folder)
            let program = folder + "/mdhost"
            try """
            #!/bin/sh
            echo "$$ $*" >>"$0.log"
            [ "$1" = doctor ] && exec yes
            exec tail -f /dev/null
            """.write(toFile: program, atomically: true, encoding: .utf8)
            chmod(program, 0o700)
            let sockets = try KeeperDesk.sockets()
            page = sockets.page
            let connections = connections
            let desk = KeeperDesk(
                page: process, program: { () throws(HostError) in program },
                connect: { () throws(HostError) in
                    connections.increase()
                    return open("/dev/null", O_RDONLY | O_CLOEXEC)
                })
            self.desk = desk
            let continuation = ended.continuation
            Thread.detachNewThread {
                desk.serve(sockets.keeper)
                Glibc.close(sockets.keeper)
                continuation.finish()
            }
        }

        /// The process identifiers and arguments of the programs that it started.
        var started: [(process: pid_t, words: String)] {
            let text = (try? String(contentsOfFile: folder + "/mdhost.log", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                return (pid_t(parts[0]) ?? 0, String(parts.last ?? ""))
            }
        }

        /// Ends its programs, and waits until it has noticed that the page is gone.
        func close() async {
            Glibc.close(page)
            for await _ in ended.stream {}
            desk.end()
            for program in started where program.words.hasPrefix("demo") { waitpid(program.process, nil, 0) }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private static func pair() throws -> (own: Int32, passed: Int32) {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return (pair[0], pair[1])
    }

    /// Sends a message with descriptors, which are closed here.
    private static func send(_ word: [UInt8], _ descriptors: [Int32], to keeper: Int32) throws {
        var word = word
        var control = [UInt8](repeating: 0, count: 16 + (descriptors.count * 4 + 7) / 8 * 8)
        control.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: 16 + descriptors.count * 4, as: Int.self)
            bytes.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            bytes.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
            for (index, descriptor) in descriptors.enumerated() {
                bytes.storeBytes(of: descriptor, toByteOffset: 16 + index * 4, as: Int32.self)
            }
        }
        let sent = word.withUnsafeMutableBytes { word in
            control.withUnsafeMutableBytes { control in
                var data = iovec(iov_base: word.baseAddress, iov_len: word.count)
                return withUnsafeMutablePointer(to: &data) { data in
                    var message = msghdr()
                    message.msg_iov = data
                    message.msg_iovlen = 1
                    message.msg_control = descriptors.isEmpty ? nil : control.baseAddress
                    message.msg_controllen = descriptors.isEmpty ? 0 : control.count
                    return sendmsg(keeper, &message, Int32(MSG_NOSIGNAL))
                }
            }
        }
        for descriptor in descriptors { close(descriptor) }
        try #require(sent == word.count, "\(String(cString: strerror(errno)))")
    }

    /// Returns the first bytes of the answer; none if the keeper closed it.
    private static func answer(_ own: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = recv(own, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func ask(_ word: [UInt8], _ keeper: Keeper) throws -> String? {
        let (own, passed) = try pair()
        defer { close(own) }
        try send(word, [passed], to: keeper.page)
        return answer(own)
    }

    private static func ask(_ word: String, _ keeper: Keeper) throws -> String? { try ask(Array(word.utf8), keeper) }

    @Test func threeWordsAreUnderstood() async throws {
        let keeper = try Keeper()
        #expect(try Self.ask("connect", keeper) == "done")
        #expect(try Self.ask("doctor", keeper)?.hasPrefix("y\ny\n") == true)
        for _ in 0..<5 { #expect(try Self.ask("demo", keeper) == "done") }
        #expect(keeper.connections.value == 1)
        // The answer comes when the program has been started, not when it has written its line.
        while keeper.started.count < 2 { await Task.yield() }
        #expect(keeper.started.map(\.words) == ["doctor --json", "demo --open --json"], "one simulated device")
        await keeper.close()
    }

    @Test func everythingElseIsDropped() async throws {
        let keeper = try Keeper()
        let words =
            [
                "", "Connect", "connect ", " connect", "connect\0", "connect\n", "connectconnect", "doctor --json",
                "demo x",
                "demo;id", "$(id)", "../mdhost", "play", "connect\u{301}", String(repeating: "demo", count: 16),
                "demo" + String(repeating: "\0", count: 60), String(repeating: "x", count: 100_000),
            ].map { Array($0.utf8) } + [[0xFF, 0xFE], [0], Array(repeating: 0, count: 64)]
        for word in words { #expect(try Self.ask(word, keeper)?.isEmpty == true, "\(word.prefix(80))") }
        #expect(keeper.started.isEmpty && keeper.connections.value == 0)
        #expect(try Self.ask("connect", keeper) == "done", "it is unmoved")
        await keeper.close()
    }

    @Test func otherNumbersOfDescriptorsLeaveNone() async throws {
        let keeper = try Keeper()
        for _ in 0..<50 { try Self.send(Array("demo".utf8), [], to: keeper.page) }
        for count in [2, 3, 4, 8, 100, 253] {
            let pairs = try (0..<count).map { _ in try Self.pair() }
            try Self.send(Array("connect".utf8), pairs.map(\.passed), to: keeper.page)
            // The first is answered. Each reaches its end only when the keeper has no copy of the other.
            #expect(Self.answer(pairs[0].own) == "done")
            for pair in pairs {
                #expect(Self.answer(pair.own) == "", "of \(count)")
                close(pair.own)
            }
        }
        #expect(keeper.started.isEmpty)
        #expect(try Self.ask("connect", keeper) == "done")
        await keeper.close()
    }

    @Test func anotherProcessIsRefused() async throws {
        // The sender is this process, as after the page passed its socket on.
        let keeper = try Keeper(page: getppid())
        for request in KeeperRequest.allCases { #expect(try Self.ask(request.rawValue, keeper) == "") }
        #expect(keeper.started.isEmpty && keeper.connections.value == 0)
        await keeper.close()
    }

    @Test func requestsAreBounded() async throws {
        let keeper = try Keeper()
        var kept: [Int32] = []
        var refused = 0
        for _ in 0..<60 {
            let (own, passed) = try Self.pair()
            try Self.send(Array("doctor".utf8), [passed], to: keeper.page)
            // Those that run wait for their readers.
            if Self.answer(own)?.isEmpty == false {
                kept.append(own)
            } else {
                refused += 1
                close(own)
            }
        }
        #expect(kept.count == 8 && refused == 52 && keeper.started.count == 8)
        for own in kept { close(own) }
        var answer: String?
        while answer?.isEmpty != false { answer = try Self.ask("connect", keeper) }
        #expect(answer == "done", "there is room again")
        await keeper.close()
    }

    @Test func aSocketThatCannotBeWrittenHarmsNothing() async throws {
        let keeper = try Keeper()
        for path in ["/dev/null", "/dev/full", "/"] {
            try Self.send(Array("connect".utf8), [open(path, O_RDONLY | O_CLOEXEC)], to: keeper.page)
        }
        let (own, passed) = try Self.pair()
        close(own)
        try Self.send(Array("connect".utf8), [passed], to: keeper.page)
        // The keeper's own socket as the answer.
        try Self.send(Array("connect".utf8), [dup(keeper.page)], to: keeper.page)
        #expect(try Self.ask("connect", keeper) == "done")
        await keeper.close()
    }
}

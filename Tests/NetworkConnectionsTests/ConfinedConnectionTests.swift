import Confinement
import Foundation
import NetworkConnections
import Testing

/// A program that is confined as extensions are, by the real launcher.
@Suite(.timeLimit(.minutes(2))) struct ConfinedConnectionTests {
    private static let folder: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? program
        return (bundle as NSString).deletingLastPathComponent
    }()

    private static var runtime: String? {
        let file = FileHandle(forReadingAtPath: "/proc/self/maps")
        let maps = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
        guard let line = maps.split(separator: "\n").first(where: { $0.hasSuffix("/libswiftCore.so") }),
            let path = line.firstIndex(of: "/")
        else { return nil }
        return (String(line[path...]) as NSString).deletingLastPathComponent
    }

    /// - Returns: The lines of the probe by their names.
    private func outcomes(_ change: (inout ConfinementPolicy) -> Void = { _ in }) throws -> [String: String] {
        let (stream, datagrams) = (try PeerProcess(PeerProcess.echo), try PeerProcess(PeerProcess.datagrams))
        let probe = Self.folder + "/ConnectionProbe"
        var policy = ConfinementPolicy(parent: getpid())
        policy.places = ["/usr", "/bin", "/lib", "/lib64"].map { .init($0, .run) }
        policy.places += ["/proc", "/etc/ld.so.cache", "/etc/resolv.conf", "/etc/hosts"].map { .init($0, .read) }
        policy.places += Self.runtime.map { [.init($0, .run)] } ?? []
        policy.places += [.init(probe, .run), .init("/dev/null", .write)]
        change(&policy)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let command = [Self.folder + "/mdhost-confine"] + policy.arguments + ["--", probe]
        process.arguments =
            ["-c", "exec \"$@\" 4>/dev/null", "sh"] + command + [stream.port, datagrams.port].map { "\($0)" }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        return Dictionary(pairs) { $1 }
    }

    @Test func connectionsWorkAndAListenerIsRefused() throws {
        let outcomes = try outcomes()
        #expect(outcomes["tcp"] == "confined")
        #expect(outcomes["udp"] == "confined")
        #expect(outcomes["unix"] == "\(NWError.posix(.EAFNOSUPPORT))")
        #expect(outcomes["path"] != nil)
        #expect(outcomes["udp listener"] == "confined")
        // Refused by Landlock if the kernel can restrict ports, else by the system call filter.
        #expect(["\(NWError.posix(.EPERM))", "\(NWError.posix(.EACCES))"].contains(outcomes["listener"]))
    }

    @Test func aListenerWorksWhereItIsDeclared() throws {
        #expect(try outcomes { $0.takesConnections = true }["listener"] == "ready")
    }
}

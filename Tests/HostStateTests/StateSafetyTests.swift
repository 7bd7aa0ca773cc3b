import Foundation
import HostCore
import HostInterface
import Testing

@testable import HostState

/// The fate of acknowledged data when the process or the disk fails; each test uses a real second process.
@Suite(.timeLimit(.minutes(1))) struct StateSafetyTests {
    private let state = TemporaryState()

    private static let program =
        ((CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]) as NSString)
        .deletingLastPathComponent + "/StateWriter"
    private static let canMount = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")

    @Test func killingTheWriterLosesNothingAcknowledged() async throws {
        var acknowledged: Set<String> = []
        for round in 1...8 {
            let writer = Process()
            let output = Pipe()
            writer.executableURL = URL(fileURLWithPath: Self.program)
            writer.arguments = [state.folder]
            writer.standardOutput = output
            let ended = writer.ended
            try writer.run()
            var lines = 0
            // A different moment each time: after this many acknowledgements, wherever the next write stands.
            for await line in output.lines {
                acknowledged.insert(line)
                lines += 1
                if lines == round * 3 { kill(writer.processIdentifier, SIGKILL) }
            }
            for await _ in ended { break }
            let store = try state.open()
            #expect(store.setAside == nil)
            let devices = try await Set(store.cachedDevices(network: "home").map(\.description.id))
            let paired = try await store.pairedDevices()
            #expect(acknowledged.isSubset(of: devices) && acknowledged.isSubset(of: paired))
            #expect(paired.isSubset(of: devices))
            for identifier in acknowledged.prefix(5) {
                #expect(try await store.credential(device: identifier) == Data("secret of \(identifier)".utf8))
            }
            try store.close()
        }
        #expect(acknowledged.count >= 8 * 9 / 2 * 3)
    }

    @Test(.enabled(if: canMount, "needs root and unshare(1) for a file system of its own"))
    func aFullDiskIsAStorageError() async throws {
        let lines = try await run(mounting: "size=400k")
        #expect(lines.count > 1)
        #expect(lines.last == "error storage-failed \(state.file.path) cannot be used: the disk is full.")
    }

    @Test(.enabled(if: canMount, "needs root and unshare(1) for a file system of its own"))
    func aReadOnlyDiskIsAStorageError() async throws {
        let lines = try await run(mounting: "ro")
        #expect(lines.count == 1)
        #expect(lines.last == "error storage-failed \(state.file.path) cannot be used: Read-only file system.")
    }

    /// Runs the writer on a file system that only it sees.
    private func run(mounting options: String) async throws -> [String] {
        try FileManager.default.createDirectory(atPath: state.folder, withIntermediateDirectories: true)
        let writer = Process()
        let output = Pipe()
        writer.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        writer.arguments = [
            "--mount", "/bin/sh", "-c", "mount -t tmpfs -o \(options) none \"$1\" && exec \"$2\" \"$1\"", "sh",
            state.folder, Self.program,
        ]
        writer.standardOutput = output
        let ended = writer.ended
        try writer.run()
        var lines: [String] = []
        for await line in output.lines { lines.append(line) }
        for await _ in ended { break }
        return lines
    }
}

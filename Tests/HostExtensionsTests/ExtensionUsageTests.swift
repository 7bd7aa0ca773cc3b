import Foundation
import LinkProtocol
import Synchronization
import Testing

@testable import HostExtensions

@Suite(.timeLimit(.minutes(1))) struct ExtensionUsageTests {
    private let log = LogRecorder()
    private let inbox = Inbox()
    private static let limits = {
        var limits = ExtensionUsage.Limits()
        #if SANITIZED
            // The memory of the sanitizer's runtime isn't the program's.
            limits.memory = .max
        #endif
        return limits
    }()

    private func usage(_ folder: String, _ limits: ExtensionUsage.Limits = .init()) -> ExtensionUsage {
        ExtensionUsage.current(process: getpid(), isAlone: true, folder: folder, limits: limits)
    }

    @Test func whatIsOnTheDiskCounts() throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "x", count: 300_000), to: "own/a/b/large")
        try folder.write(String(repeating: "x", count: 3_000_000), to: "elsewhere/large")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/own/link", withDestinationPath: folder.path + "/elsewhere")
        let usage = usage(folder.path + "/own")
        // The folder, a, b, the file and the link itself.
        #expect(usage.files == 5)
        #expect(usage.storage >= 300_000 && usage.storage < 1_000_000)
        #expect(usage.threads >= 1 && usage.excess(over: Self.limits) == nil)
        #expect(self.usage(folder.path + "/nothing").files <= 1)
    }

    @Test func aHostOfFilesIsNotCountedToItsEnd() throws {
        let folder = try TemporaryFolder()
        for number in 0..<50 { try folder.write("", to: "own/\(number)") }
        var limits = Self.limits
        limits.files = 20
        let usage = usage(folder.path + "/own", limits)
        #expect(usage.files == 21)
        #expect(usage.excess(over: limits) == "made more than 20 files")
    }

    @Test func deletedFilesThatAreHeldOpenCount() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(String(repeating: "x", count: 2_000_000), to: "own/deleted")
        let before = usage(folder.path + "/elsewhere").storage
        let handle = try #require(FileHandle(forReadingAtPath: file))
        try FileManager.default.removeItem(atPath: file)
        // Others of this process's tests may hold some too.
        #expect(usage(folder.path + "/elsewhere").storage >= 2_000_000)
        try handle.close()
        #expect(before < 2_000_000)
    }

    @Test func whatAProcessHasInMemoryForItselfCounts() {
        let before = usage("/nowhere").memory
        let size = 64 << 20
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
        memset(bytes, 1, size)
        // Others of this process's tests come and go.
        #expect(usage("/nowhere").memory > before + Int64(size / 2))
        bytes.deallocate()
        #expect(before > 0)
        let limits = ExtensionUsage.Limits()
        #expect(
            ExtensionUsage(memory: limits.memory + 1).excess(over: limits) == "took more than 512 MB of memory")
    }

    /// Relative to each other they can be made, though no name reaches the last.
    @Test func foldersTooDeepToNameAreNotOverlooked() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/own", withIntermediateDirectories: true)
        let name = String(repeating: "d", count: 200)
        var current = open(folder.path + "/own", O_RDONLY | O_DIRECTORY)
        var parents: [Int32] = []
        for level in 1...FolderUsage.mostLevels {
            if level == 40 {
                let usage = usage(folder.path + "/own")
                #expect(usage.files == 40 && usage.excess(over: Self.limits) == nil)
            }
            try #require(mkdirat(current, name, 0o700) == 0)
            parents.append(current)
            current = openat(current, name, O_RDONLY | O_DIRECTORY)
        }
        close(current)
        #expect(usage(folder.path + "/own").excess(over: Self.limits) == "made folders that cannot be looked into")
        for parent in parents.reversed() {
            unlinkat(parent, name, AT_REMOVEDIR)
            close(parent)
        }
        #expect(usage(folder.path + "/own").excess(over: Self.limits) == nil)
    }

    /// Counted by way of the link, the user's files would end the extension, which would tell it their number.
    @Test func aFolderThatIsExchangedForALinkIsNotCounted() throws {
        let folder = try TemporaryFolder()
        for number in 0..<500 { try folder.write("mine", to: "home/\(number)") }
        mkdir(folder.path + "/own", 0o700)
        mkdir(folder.path + "/own/a", 0o700)
        symlink(folder.path + "/home", folder.path + "/own/b")
        let own = open(folder.path + "/own", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(own >= 0)
        defer { close(own) }
        let isOver = Atomic(false)
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.load(ordering: .relaxed) {
                for (from, to) in [("a", "c"), ("b", "a"), ("a", "b"), ("c", "a")] { _ = renameat(own, from, own, to) }
            }
            end.signal()
        }
        var most = 0
        for _ in 0..<1_000 { most = max(most, FolderUsage(of: folder.path + "/own", limit: 20_000).files) }
        isOver.store(true, ordering: .relaxed)
        end.wait()
        // A name may be read twice while it moves.
        #expect(most <= 10, "\(most) files")
    }

    @Test func whatIsTooMuchIsNamed() {
        let limits = ExtensionUsage.Limits()
        #expect(ExtensionUsage(threads: limits.threads, storage: limits.storage, files: 1).excess(over: limits) == nil)
        let threads = ExtensionUsage(threads: limits.threads + 1, storage: 0, files: 1)
        #expect(threads.excess(over: limits) == "started more than 768 processes and threads")
        let storage = ExtensionUsage(threads: 1, storage: limits.storage + 1, files: 1)
        #expect(storage.excess(over: limits) == "filled its folder with more than 1024 MB")
    }

    @Test func aProcessThatTakesTooMuchIsEnded() async throws {
        let bundle = try FaultyBundle("good")
        let launch = bundle.launch()
        var timing = ExtensionProcess.Timing()
        timing.usage = .milliseconds(20)
        var limits = ExtensionUsage.Limits()
        limits.storage = 1 << 20
        let process = ExtensionProcess(
            launch, timing: timing, usageLimits: limits, logger: log.logger, receiver: inbox.receiver)
        _ = try await process.start()
        try await process.perform(.startDeviceDiscovery)
        let file = launch.stateDirectory + "/large"
        try Data(repeating: 1, count: 2 << 20).write(to: URL(filePath: file))
        let exit = await process.waitForExit()
        #expect(exit.hostReason == "filled its folder with more than 1 MB")
    }

    /// One that may start programs starts them without end.
    @Test func tooManyProcessesAreEndedTogether() async throws {
        let bundle = try FaultyBundle("grandchild")
        var timing = ExtensionProcess.Timing()
        timing.usage = .milliseconds(20)
        var limits = ExtensionUsage.Limits()
        limits.threads = 1
        let process = ExtensionProcess(
            bundle.launch(), timing: timing, usageLimits: limits, logger: log.logger, receiver: inbox.receiver)
        _ = try? await process.start()
        let exit = await process.waitForExit()
        #expect(exit.hostReason == "started more than 1 processes and threads")
        while !zombies().isEmpty { await Task.yield() }
    }
}

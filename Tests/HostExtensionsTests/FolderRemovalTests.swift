import Foundation
import Synchronization
import Testing

@testable import HostExtensions

/// The temporary folder of an extension is emptied by the daemon, with the rights of the user.
@Suite(.timeLimit(.minutes(1))) struct FolderRemovalTests {
    private func open(_ path: String) throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0)
        return descriptor
    }

    @Test func everyKindOfEntryAtAnyDepth() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "home/diary")
        try folder.write("x", to: "state/tmp/a/b/c")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/state/tmp/home", withDestinationPath: folder.path + "/home")
        mkfifo(folder.path + "/state/tmp/pipe", 0o600)
        mkdir(folder.path + "/state/tmp/closed", 0o700)
        try folder.write("x", to: "state/tmp/closed/file")
        chmod(folder.path + "/state/tmp/closed", 0)
        // No text, and deeper than a path can say.
        var place = try open(folder.path + "/state/tmp")
        for _ in 0..<1_500 {
            let name: [CChar] = [-1, -2, 100, 101, 102, 0]
            #expect(mkdirat(place, name, 0o700) == 0)
            let next = openat(place, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            close(place)
            place = next
        }
        close(place)
        let state = try open(folder.path + "/state")
        defer { close(state) }
        #expect(FolderRemoval.remove("tmp", in: state))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state").isEmpty)
        #expect(FolderRemoval.remove("tmp", in: state), "already gone")
        #expect(try String(contentsOfFile: folder.path + "/home/diary", encoding: .utf8) == "mine")
    }

    /// A program of the extension exchanges a folder for a link to the user's, again and again, while it is emptied.
    @Test func aFolderThatIsExchangedForALinkLeadsNowhere() throws {
        let folder = try TemporaryFolder()
        let names = (0..<20).map { "file-\($0)" }
        for name in names { try folder.write("mine", to: "home/" + name) }
        mkdir(folder.path + "/state", 0o700)
        let state = try open(folder.path + "/state")
        defer { close(state) }
        let isOver = Atomic(false)
        let exchanging = Thread.detached {
            while !isOver.load(ordering: .relaxed) {
                for (from, to) in [("a", "c"), ("b", "a"), ("a", "b"), ("c", "a")] {
                    _ = renameat(state, "tmp/" + from, state, "tmp/" + to)
                }
            }
        }
        for _ in 0..<30 {
            mkdir(folder.path + "/state/tmp", 0o700)
            mkdir(folder.path + "/state/bait", 0o700)
            for name in names { close(openat(state, "bait/" + name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
            #expect(renameat(state, "bait", state, "tmp/a") == 0)
            symlink(folder.path + "/home", folder.path + "/state/tmp/b")
            try #require(FolderRemoval.remove("tmp", in: state))
        }
        isOver.store(true, ordering: .relaxed)
        exchanging()
        for name in names {
            #expect(try String(contentsOfFile: folder.path + "/home/" + name, encoding: .utf8) == "mine")
        }
    }

    /// The folder of an extension that `mdhost extension check` ran, with a program of it that still runs.
    @Test func theFolderOfACheckIsRemovedWithoutFollowingLinks() throws {
        let folder = try TemporaryFolder()
        let names = (0..<20).map { "file-\($0)" }
        for name in names { try folder.write("mine", to: "home/" + name) }
        let root = try open(folder.path)
        defer { close(root) }
        let isOver = Atomic(false)
        let exchanging = Thread.detached {
            while !isOver.load(ordering: .relaxed) {
                for (from, to) in [("a", "c"), ("b", "a"), ("a", "b"), ("c", "a")] {
                    _ = renameat(root, "check/" + from, root, "check/" + to)
                }
            }
        }
        for _ in 0..<40 {
            mkdir(folder.path + "/bait", 0o700)
            mkdir(folder.path + "/bait/a", 0o700)
            for name in names { close(openat(root, "bait/a/" + name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
            symlink(folder.path + "/home", folder.path + "/bait/b")
            if renameat(root, "bait", root, "check") != 0 { FolderRemoval.remove("bait", in: root) }
            // As long as parts move, something may stay.
            ExtensionTrial.remove(folder.path + "/check")
        }
        isOver.store(true, ordering: .relaxed)
        exchanging()
        ExtensionTrial.remove(folder.path + "/check")
        #expect(access(folder.path + "/check", F_OK) != 0)
        for name in names {
            #expect(try String(contentsOfFile: folder.path + "/home/" + name, encoding: .utf8) == "mine")
        }
    }
}

extension Thread {
    /// - Returns: A function that waits for its end.
    fileprivate static func detached(_ body: @escaping @Sendable () -> Void) -> () -> Void {
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            end.signal()
        }
        return { end.wait() }
    }
}

import Foundation
import HostInterface
import Synchronization
import Testing

@testable import HostClient

/// Files and folders whose entries another program exchanges.
@Suite(.timeLimit(.minutes(1))) struct PrivateFileTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "private-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    /// The confined page may put anything in the place of its settings, which the daemon reads at its start.
    @Test func whatIsNoFileIsNoSettings() throws {
        try inFolder { folder in
            let path = folder + "/settings.json"
            var settings = PageSettings()
            settings.isEnabled = true
            try settings.save(folder: folder)
            #expect(PageSettings.load(folder: folder).isEnabled)
            #expect(rename(path, folder + "/other") == 0)
            // Each of these would wait or read for ever, or read what is none of the page's.
            symlink("/dev/zero", path)
            #expect(!PageSettings.load(folder: folder).isEnabled)
            unlink(path)
            symlink(folder + "/other", path)
            #expect(!PageSettings.load(folder: folder).isEnabled)
            unlink(path)
            mkfifo(path, 0o600)
            #expect(!PageSettings.load(folder: folder).isEnabled)
            unlink(path)
            mkdir(path, 0o700)
            #expect(!PageSettings.load(folder: folder).isEnabled)
            rmdir(path)
            // A file of a terabyte, of which nothing is on the disk.
            close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
            truncate(path, 1 << 40)
            #expect(!PageSettings.load(folder: folder).isEnabled)
        }
    }

    @Test func aFolderThatIsALinkIsRefusedAndItsTargetLeftAlone() throws {
        try inFolder { folder in
            mkdir(folder + "/target", 0o755)
            symlink(folder + "/target", folder + "/link")
            #expect(throws: HostError.self) { try HostFolders.prepare(folder + "/link") }
            #expect(mode(folder + "/target") == 0o755)
            try HostFolders.prepare(folder + "/target")
            #expect(mode(folder + "/target") == 0o700)
        }
    }

    @Test func aFolderIsMadeWithThoseAboveIt() throws {
        try inFolder { folder in
            try HostFolders.prepare(folder + "/a/b/c/")
            for path in ["/a", "/a/b", "/a/b/c"] { #expect(mode(folder + path) == 0o700) }
            try Data().write(to: URL(filePath: folder + "/file"))
            let error = #expect(throws: HostError.self) { try HostFolders.prepare(folder + "/file/d") }
            #expect(error?.message == "The folder \(folder)/file/d cannot be made: Not a directory")
            #expect(throws: HostError.self) { try HostFolders.prepare(folder + "/file") }
        }
    }

    /// Between the making, the check and the change of the mode.
    @Test func aFolderThatIsExchangedForALinkLeavesTheTargetAlone() throws {
        try inFolder { folder in
            mkdir(folder + "/target", 0o755)
            mkdir(folder + "/a", 0o755)
            symlink(folder + "/target", folder + "/b")
            let own = open(folder + "/a", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            try #require(own >= 0)
            defer { close(own) }
            let isOver = Atomic(false)
            let end = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                while !isOver.load(ordering: .relaxed) {
                    for (from, to) in [("/a", "/c"), ("/b", "/a"), ("/a", "/b"), ("/c", "/a")] {
                        rename(folder + from, folder + to)
                    }
                    fchmod(own, 0o755)
                }
                end.signal()
            }
            for _ in 0..<2_000 { try? HostFolders.prepare(folder + "/a") }
            isOver.store(true, ordering: .relaxed)
            end.wait()
            #expect(mode(folder + "/target") == 0o755)
        }
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}

import Foundation
import HostInterface
import Testing

@testable import mdhost

@Suite("The lock of the only daemon")
struct InstanceLockTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-lock-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    @Test("a second one gets none until the first lets go")
    func exclusive() throws {
        try inFolder { folder in
            let path = folder + "/lock"
            let first = try #require(try InstanceLock.take(path))
            #expect(try InstanceLock.take(path).map { _ in true } == nil)
            first.release()
            let second = try #require(try InstanceLock.take(path))
            second.release()
        }
    }

    @Test("others see whether its holder serves, and nothing that a dead one left")
    func serving() throws {
        try inFolder { folder in
            let path = folder + "/lock"
            #expect(!InstanceLock.isServing(path))
            let first = try #require(try InstanceLock.take(path))
            #expect(!InstanceLock.isServing(path))
            first.tellServing(true)
            #expect(InstanceLock.isServing(path))
            first.tellServing(false)
            #expect(!InstanceLock.isServing(path))
            first.tellServing(true)
            first.release()
            let second = try #require(try InstanceLock.take(path))
            defer { second.release() }
            #expect(!InstanceLock.isServing(path))
        }
    }

    @Test("others see whose it is, serving or not")
    func holder() throws {
        try inFolder { folder in
            let path = folder + "/lock"
            #expect(InstanceLock.holder(path) == nil)
            let lock = try #require(try InstanceLock.take(path))
            defer { lock.release() }
            #expect(InstanceLock.holder(path) == getpid())
            lock.tellServing(true)
            #expect(InstanceLock.holder(path) == getpid())
            lock.tellServing(false)
            #expect(InstanceLock.holder(path) == getpid())
        }
    }

    @Test("what is no process number is none", arguments: ["serving\n", "0\n", "1\n", "-5\n", "x\nserving\n"])
    func noHolder(_ text: String) throws {
        try inFolder { folder in
            try Data(text.utf8).write(to: URL(filePath: folder + "/lock"))
            #expect(InstanceLock.holder(folder + "/lock") == nil)
        }
    }

    @Test("the file is for this user only")
    func mode() throws {
        try inFolder { folder in
            let lock = try #require(try InstanceLock.take(folder + "/lock"))
            defer { lock.release() }
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/lock")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("neither a symbolic link nor a missing folder is followed")
    func hostile() throws {
        try inFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/lock", withDestinationPath: folder + "/elsewhere")
            for path in ["\(folder)/lock", "\(folder)/missing/lock"] {
                let error = #expect(throws: HostError.self) { _ = try InstanceLock.take(path) }
                #expect(error?.code == .storageFailed)
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "/elsewhere"))
        }
    }
}

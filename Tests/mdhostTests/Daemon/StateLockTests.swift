import Foundation
import HostClient
import HostInterface
import Testing

@Suite struct StateLockTests {
    @Test func oneFolderHasOneDaemon() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-state-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(StateLock.obstacle(folder.path) == nil)
        let first = try StateLock.take(folder.path)
        let error = #expect(throws: HostError.self) { try StateLock.take(folder.path) }
        #expect(error?.code == .storageFailed && error?.message.contains("process \(getpid())") == true)
        #expect(StateLock.obstacle(folder.path) == error)
        first.release()
        #expect(StateLock.obstacle(folder.path) == nil)
        try StateLock.take(folder.path).release()
    }

    @Test func aFolderThatCannotBeWrittenIsTold() {
        let error = #expect(throws: HostError.self) { try StateLock.take("/proc") }
        #expect(error?.code == .storageFailed)
    }
}

import Foundation
import Logging
import StoredValues
import Synchronization
import Testing

@MainActor
struct StoredValueTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "stored-\(UUID().uuidString)")
    private let logged = LoggedLines()

    private func make(in folder: URL?) -> StoredValue<[String: Int]> {
        StoredValue(
            ["initial": 1], folder: folder, name: "values.json",
            log: Logger(label: "test") { [logged] _ in CountingLog(lines: logged) })
    }

    private func withFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body()
    }

    @Test func theNextProcessContinuesWithIt() throws {
        try withFolder {
            let first = make(in: folder)
            #expect(first.value == ["initial": 1])
            first.store(["stored": 2])
            #expect(first.value == ["stored": 2])
            #expect(make(in: folder).value == ["stored": 2])
        }
    }

    @Test(arguments: ["", "{", #"{"stored": "text"}"#, #"[1, 2]"#])
    func anUnreadableFileCountsAsMissing(_ text: String) throws {
        try withFolder {
            try Data(text.utf8).write(to: folder.appending(path: "values.json"))
            let value = make(in: folder)
            #expect(value.value == ["initial": 1])
            value.store(["stored": 2])
            #expect(make(in: folder).value == ["stored": 2])
        }
    }

    @Test func anEqualValueIsNotWritten() throws {
        try withFolder {
            let value = make(in: folder)
            value.store(["initial": 1])
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/values.json"))
        }
    }

    @Test func aFileThatCannotBeWrittenIsLoggedOnce() {
        let value = make(in: folder.appending(path: "missing"))
        value.store(["stored": 2])
        value.store(["stored": 3])
        #expect(value.value == ["stored": 3])
        #expect(logged.count == 1)
    }

    @Test func withoutAFolderItLivesAsLongAsTheProcess() {
        let value = make(in: nil)
        value.store(["stored": 2])
        #expect(value.value == ["stored": 2])
        #expect(logged.count == 0)
    }
}

private final class LoggedLines: Sendable {
    private let lines = Mutex(0)
    var count: Int { lines.withLock { $0 } }

    func add() { lines.withLock { $0 += 1 } }
}

private struct CountingLog: LogHandler {
    let lines: LoggedLines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event _: LogEvent) { lines.add() }
}

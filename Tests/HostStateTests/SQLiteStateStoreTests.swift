import Foundation
import GRDB
import HostCore
import HostInterface
import Testing

@testable import HostState

@Suite(.timeLimit(.minutes(1))) struct SQLiteStateStoreTests {
    private let state = TemporaryState()

    @Test func devicesArePerNetworkNewestFirstAndSurviveReopening() async throws {
        let store = try state.open(now: Date(timeIntervalSince1970: 1e9))
        let old = device("Old", seen: Date(timeIntervalSince1970: 1e9))
        var new = device("New", seen: Date(timeIntervalSince1970: 1e9 + 60))
        try await store.remember([old, new], network: "home")
        try await store.remember(old, network: "work")
        #expect(try await store.cachedDevices(network: "home") == [new, old])
        #expect(try await store.cachedDevices(network: "nowhere").isEmpty)
        new.description.name = "Renamed"
        new.lastSeen = Date(timeIntervalSince1970: 1e9 - 60)
        try await store.remember(new, network: "home")
        try store.close()

        let again = try state.open(now: Date(timeIntervalSince1970: 1e9))
        #expect(again.setAside == nil)
        #expect(try await again.cachedDevices(network: "home") == [old, new])
        try await again.forgetCachedDevice(id: old.description.id)
        #expect(try await again.cachedDevices(network: "home") == [new])
        #expect(try await again.cachedDevices(network: "work").isEmpty)
    }

    @Test func devicesNotSeenForHalfAYearAreForgotten() async throws {
        let seen = Date(timeIntervalSince1970: 1e9)
        let store = try state.open(now: seen)
        try await store.remember(device("Old", seen: seen), network: "home")
        try store.close()
        let kept = try state.open(now: seen + SQLiteStateStore.longestMemory)
        #expect(try await kept.cachedDevices(network: "home").count == 1)
        try kept.close()
        let later = try state.open(now: seen + SQLiteStateStore.longestMemory + 1)
        #expect(try await later.cachedDevices(network: "home").isEmpty)
    }

    @Test func switchedOffExtensionsSurviveReopening() async throws {
        let store = try state.open()
        #expect(try await store.disabledExtensions().isEmpty)
        for _ in 0..<2 { try await store.setExtension("org.example.a", isEnabled: false) }
        try await store.setExtension("org.example.b", isEnabled: false)
        try await store.setExtension("org.example.c", isEnabled: true)
        try store.close()
        let again = try state.open()
        #expect(try await again.disabledExtensions() == ["org.example.a", "org.example.b"])
        try await again.setExtension("org.example.a", isEnabled: true)
        #expect(try await again.disabledExtensions() == ["org.example.b"])
    }

    @Test func credentialsWithoutAKeyring() async throws {
        let store = try state.open()
        let secret = Data([0, 1, 2, 255])
        try await store.setCredential(secret, device: "A")
        try await store.setCredential(Data(), device: "B")
        #expect(try await store.credential(device: "A") == secret)
        #expect(try await store.credential(device: "C") == nil)
        #expect(try await store.pairedDevices() == ["A", "B"])
        try await store.setCredential(nil, device: "A")
        #expect(try await store.credential(device: "A") == nil)
        #expect(try await store.pairedDevices() == ["B"])
    }

    @Test func aKeyringKeepsTheSecretsAndTheFileDoesNot() async throws {
        let secrets = MemorySecrets()
        let store = try state.open(secrets: secrets)
        let secret = Data("very-secret-bytes".utf8)
        try await store.setCredential(secret, device: "A")
        #expect(secrets.secrets == ["A": secret])
        #expect(try await store.credential(device: "A") == secret)
        #expect(try await store.pairedDevices() == ["A"])
        for name in state.names {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: state.folder + "/" + name))
            #expect(bytes.firstRange(of: secret) == nil)
        }
        try await store.setCredential(nil, device: "A")
        #expect(secrets.secrets.isEmpty)
        #expect(try await store.pairedDevices().isEmpty)
    }

    @Test func aLockedKeyringIsReplacedByTheFileAndNothingSecretIsLogged() async throws {
        let log = LogRecorder()
        let secrets = MemorySecrets()
        let store = try state.open(secrets: secrets, log: log)
        try await store.setCredential(Data("first-secret".utf8), device: "A")
        secrets.refuses = true
        try await store.setCredential(Data("other-secret".utf8), device: "B")
        #expect(try await store.credential(device: "B") == Data("other-secret".utf8))
        await #expect(throws: HostError(.storageFailed, "The keyring is locked.")) {
            try await store.credential(device: "A")
        }
        try await store.setCredential(nil, device: "A")
        #expect(try await store.pairedDevices() == ["B"])
        #expect(!log.lines.isEmpty && !log.lines.contains { $0.contains("secret of") || $0.contains("-secret") })
        try store.close()
        let alone = try state.open()
        #expect(try await alone.credential(device: "B") == Data("other-secret".utf8))
    }

    @Test func aSecretInAKeyringThatIsGoneIsAnErrorAndNotNothing() async throws {
        let store = try state.open(secrets: MemorySecrets())
        try await store.setCredential(Data([1]), device: "A")
        try store.close()
        let alone = try state.open()
        await #expect(throws: HostError.self) { try await alone.credential(device: "A") }
    }

    @Test func removedSecretsLeaveNoTraceInTheFile() async throws {
        let store = try state.open()
        let secret = Data("needle-in-a-haystack".utf8)
        try await store.setCredential(secret, device: "A")
        try await store.setCredential(nil, device: "A")
        try store.close()
        for name in state.names {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: state.folder + "/" + name))
            #expect(bytes.firstRange(of: secret) == nil, "\(name)")
        }
    }

    @Test func nobodyElseCanReadIt() async throws {
        try FileManager.default.createDirectory(
            atPath: state.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try Data().write(to: URL(fileURLWithPath: state.file.path))
        let store = try state.open()
        try await store.setCredential(Data([1]), device: "A")
        #expect(state.mode("") == 0o700)
        #expect(state.names == ["state.sqlite", "state.sqlite-shm", "state.sqlite-wal"])
        for name in state.names { #expect(state.mode(name) == 0o600, "\(name)") }
    }

    @Test func aDamagedFileIsMovedAsideAndReported() async throws {
        try FileManager.default.createDirectory(atPath: state.folder, withIntermediateDirectories: true)
        let garbage = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try garbage.write(to: URL(fileURLWithPath: state.file.path))
        let store = try state.open(now: Date(timeIntervalSince1970: 0))
        let moved = try #require(store.setAside)
        #expect(moved.path == state.file.path + ".corrupt-19700101T000000Z")
        #expect(moved.message.contains(moved.path))
        #expect(try Data(contentsOf: URL(fileURLWithPath: moved.path)) == garbage)
        try await store.setCredential(Data([1]), device: "A")
        #expect(try await store.pairedDevices() == ["A"])
        try store.close()
        #expect(try state.open().setAside == nil)
    }

    @Test func damageInTheMiddleIsNoticed() async throws {
        let store = try state.open()
        for number in 0..<500 { try await store.remember(device("Device \(number)"), network: "home") }
        try store.close()
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: state.file.path))
        for page in 3..<20 {
            try handle.seek(toOffset: UInt64(page * 4096))
            try handle.write(contentsOf: Data(repeating: 0xAA, count: 4096))
        }
        try handle.close()
        guard case .damaged? = try state.open().setAside?.reason else {
            Issue.record("the damage was not noticed")
            return
        }
    }

    @Test func aNewerFileIsMovedAsideWhole() async throws {
        let store = try state.open()
        try await store.setCredential(Data([7]), device: "A")
        try store.close()
        let queue = try DatabaseQueue(path: state.file.path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9: of the future')") }
        try queue.close()
        let fresh = try state.open()
        let moved = try #require(fresh.setAside)
        #expect(moved.reason == .newer)
        #expect(try await fresh.pairedDevices().isEmpty)
        let old = try DatabaseQueue(path: moved.path)
        #expect(try await old.read { try String.fetchAll($0, sql: "SELECT device FROM credential") } == ["A"])
    }

    @Test func twoDamagedFilesInOneSecondAreBothKept() throws {
        let now = Date(timeIntervalSince1970: 0)
        for _ in 0..<2 {
            let store = try? state.open(now: now)
            try store?.close()
            try Data(repeating: 0x41, count: 9000).write(to: URL(fileURLWithPath: state.file.path))
        }
        _ = try state.open(now: now)
        #expect(state.names.count { $0.contains("corrupt") } == 2)
    }

    @Test func anUnreadableDescriptionIsSkipped() async throws {
        let store = try state.open()
        try await store.remember(device("Good", seen: Date()), network: "home")
        try store.close()
        let queue = try DatabaseQueue(path: state.file.path)
        try await queue.write {
            try $0.execute(sql: "INSERT INTO networkDevice VALUES ('home', 'x', 'y', '{}', 4e9)")
        }
        try queue.close()
        let log = LogRecorder()
        let again = try state.open(log: log)
        #expect(try await again.cachedDevices(network: "home").map(\.description.name) == ["Good"])
        #expect(log.lines.count == 1)
    }

    @Test func aFolderThatCannotBeMadeIsAStorageError() throws {
        try Data().write(to: URL(fileURLWithPath: state.folder))
        do throws(HostError) {
            _ = try SQLiteStateStore(state.file, logger: LogRecorder().logger)
            Issue.record("opened")
        } catch {
            #expect(error.code == .storageFailed)
            #expect(error.message == "\(state.folder) cannot be used: Not a directory.")
        }
    }
}

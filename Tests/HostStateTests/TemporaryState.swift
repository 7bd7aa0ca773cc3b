import Foundation
import HostCore
import HostInterface
import Logging
import Synchronization

@testable import HostState

/// A state folder that goes away with the test.
final class TemporaryState: Sendable {
    let folder: String
    var file: StateFile { StateFile(folder: folder) }

    init() {
        folder = NSTemporaryDirectory() + "/mdhost-state-" + UUID().uuidString
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func open(
        secrets: (any SecretStore)? = nil, now: Date = Date(), log: LogRecorder = LogRecorder()
    ) throws -> SQLiteStateStore {
        try SQLiteStateStore(file, secrets: secrets, logger: log.logger, now: now)
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

    func mode(_ name: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: folder + "/" + name))?[.posixPermissions] as? Int
    }
}

func device(_ name: String, id: String = UUID().uuidString, seen: Date = Date(timeIntervalSince1970: 1e9))
    -> CachedDevice
{
    CachedDevice(
        description: DeviceDescription(
            id: id, name: name, capabilities: [.urlPlayback, .realtimeAudio], type: "speaker",
            volumeControl: .absolute, canMute: true, canGroup: false, supportsSimultaneousSessions: true,
            endpoints: ["10.0.0.5:80", "[fe80::1%eth0]:80"], txt: ["model": "x"]),
        extensionIdentifier: "org.example", lastSeen: seen)
}

/// A keyring in memory that can be made to refuse.
final class MemorySecrets: SecretStore {
    private let state = Mutex<(secrets: [String: Data], refuses: Bool)>(([:], false))

    var secrets: [String: Data] { state.withLock { $0.secrets } }
    var refuses: Bool {
        get { state.withLock { $0.refuses } }
        set { state.withLock { $0.refuses = newValue } }
    }

    private func check() throws(HostError) {
        if refuses { throw HostError(.storageFailed, "The keyring is locked.") }
    }

    func secret(device: String) async throws(HostError) -> Data? {
        try check()
        return state.withLock { $0.secrets[device] }
    }
    func setSecret(_ secret: Data, device: String) async throws(HostError) {
        try check()
        state.withLock { $0.secrets[device] = secret }
    }
    func removeSecret(device: String) async throws(HostError) {
        try check()
        state.withLock { $0.secrets[device] = nil }
    }
}

final class LogRecorder: LogHandler, Sendable {
    private let records = Mutex<[String]>([])
    var lines: [String] { records.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in self } }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    func log(event: LogEvent) { records.withLock { $0.append("\(event.message)") } }
}

import DeviceDiscovery
import Foundation
import HostInterface
import MediaDecodingSupport
import MediaDevice
import MediaReading
import PlaybackKit
import SoundServers
import Testing

@testable import BluetoothExtension

/// A speaker with address `00:AA:01:02:00:02` that the extension's devices follow, and noise to play on it.
@MainActor
final class BluetoothRoom {
    static let bytesPerSecond = 176_400

    let host: ScriptedSoundHost
    let devices: BluetoothDevices
    let speaker: MediaOutputDevice
    let media: PlayableMedia
    let samples: Data
    let credentials = StoredCredentials()
    private var following: Task<Void, Never>?

    static func with(isPaired: Bool = true, seconds: Double = 2, _ body: (BluetoothRoom) async throws -> Void)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-bluetooth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let noise = try TestNoise(seconds: seconds, in: folder.path)
        let host = ScriptedSoundHost(
            BluetoothDeviceState(
                id: "hci0", address: "00:AA:01:02:00:02", name: "Kitchen", kind: "speaker", isPaired: isPaired))
        let slot = DiscoverySourceSlot()
        slot.install(host)
        try await DiscoverySources.$shared.withValue(slot) {
            let room = try BluetoothRoom(host, noise)
            try await body(room)
            room.following?.cancel()
        }
    }

    private init(_ host: ScriptedSoundHost, _ noise: TestNoise) throws {
        self.host = host
        samples = noise.samples
        media = Self.media(noise.path)
        speaker = try #require(BluetoothAudioDevice(host.device).output)
        devices = BluetoothDevices { [credentials] credential, _ in credentials.last = credential }
        let changes = devices.deviceChanges()
        following = Task { for await _ in changes {} }
    }

    /// Media that is read in this process.
    static func media(_ path: String) -> PlayableMedia {
        let session = MediaOutputSession(id: "session")
        session.reader = .local(path)
        return PlayableMedia(url: URL(filePath: path), session: session)
    }

    /// Connects, and keeps the player's reports.
    func open() async throws -> (BluetoothPlayer, PlayerReports) {
        let player = try await devices.open(speaker, secret: .none)
        return (player, PlayerReports(player))
    }

    /// Reads from a sound, on a thread of its own: the tasks that write would wait for a free one.
    func read(_ count: Int, of sound: ScriptedSoundHost.Sound) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes = [UInt8](repeating: 0, count: count)
                let length = recv(sound.reader, &bytes, count, Int32(MSG_WAITALL))
                continuation.resume(returning: Data(bytes.prefix(max(0, length))))
            }
        }
    }
}

/// The secret that the directory stored last.
@MainActor
final class StoredCredentials {
    var last: Data?
}

/// The reports of one player.
@MainActor
final class PlayerReports {
    private(set) var snapshot: PlaybackSnapshot?
    private(set) var level: PlayerLevel?
    private(set) var ending: PlaybackEnding?
    private(set) var isOver = false

    init(_ player: BluetoothPlayer) {
        Task {
            for await event in player.events {
                switch event {
                case .playback(let snapshot, _): self.snapshot = snapshot
                case .level(let level): self.level = level
                case .ended(let ending, _): self.ending = ending
                case .properties, .data, .quality: break
                }
            }
            isOver = true
        }
    }
}

/// Waits for a condition. The suite's time limit is the only other way out.
@MainActor
func eventually(_ condition: () -> Bool) async { while !condition(), !Task.isCancelled { await Task.yield() } }

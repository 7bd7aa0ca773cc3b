import DeviceDiscovery
import Foundation
import HostInterface
import LiveSound
import MediaDevice
import SoundServers
import Testing

@testable import BluetoothExtension

@MainActor
@Suite(.timeLimit(.minutes(1))) struct BluetoothPlayerTests {
    /// What a player reports, and its samples come from a file that is removed afterwards.
    private func play(
        seconds: Double, _ body: (BluetoothPlayer, ScriptedSoundHost, AsyncStream<String>, Data) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-bluetooth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let noise = try TestNoise(seconds: seconds, in: folder.path)
        let host = ScriptedSoundHost()
        let slot = DiscoverySourceSlot()
        slot.install(host)
        let state = BluetoothDeviceState(
            id: "hci0", address: "00:AA:01:02:00:02", name: "Kitchen", kind: "speaker", isPaired: true)
        try await DiscoverySources.$shared.withValue(slot) {
            let player = BluetoothPlayer(noise.path, nil, on: UUID()) {
                () async throws(BluetoothAudioError) in BluetoothAudioDevice(state)
            }
            let (reports, sink) = AsyncStream.makeStream(of: String.self)
            player.onReport = { report in
                switch report {
                case .started: sink.yield("started")
                case .ended: sink.yield("ended")
                case .failed(let error): sink.yield("failed: \(error.reason ?? "")")
                }
            }
            player.start()
            try await body(player, host, reports, noise.samples)
            await player.stop()
        }
    }

    /// The suite's time limit is the only other way out.
    private func eventually(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    private func first(_ reports: AsyncStream<String>) async -> String? {
        for await report in reports { return report }
        return nil
    }

    private func read(_ count: Int, from descriptor: Int32) async -> Data {
        await Task.detached {
            var bytes = [UInt8](repeating: 0, count: count)
            var length = 0
            while length < count {
                let part = bytes.withUnsafeMutableBytes {
                    Glibc.read(
                        descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[length...]).baseAddress, count - length)
                }
                guard part > 0 else { break }
                length += part
            }
            return Data(bytes[..<length])
        }.value
    }

    @Test func everySampleIsHandedOnAndItsEndAwaited() async throws {
        try await play(seconds: 2) { player, host, reports, samples in
            let sound = try #require(await host.next())
            #expect(sound.order.verb == .play && sound.order.device == "hci0" && sound.order.isPaused == false)
            #expect(await first(reports) == "started")
            sound.answers.yield(.heard(BluetoothSoundPlace(seconds: 0.5, time: 7_000_000_000, isRunning: true)))
            #expect(await readAll(sound.reader) == samples)
            sound.answers.yield(BluetoothAnswer(.done))
            #expect(await first(reports) == "ended")
            #expect(player.control.timeRange.duration.seconds == 2)
        }
    }

    @Test func pausingIsTheSoundServers() async throws {
        try await play(seconds: 20) { player, host, reports, _ in
            let sound = try #require(await host.next())
            #expect(await first(reports) == "started")
            player.control.onCommand = { player.perform($0) }
            player.control.isPlaying = false
            await eventually { host.replies.contains(.pause) }
            sound.answers.yield(.heard(BluetoothSoundPlace(seconds: 3, time: 1, isRunning: false)))
            await eventually { player.control.playbackPosition.position.seconds == 3 }
            #expect(player.control.playbackPosition.rate == 0 && !player.control.isBuffering)
            player.control.isPlaying = true
            await eventually { host.replies.last == .resume }
            close(sound.reader)
        }
    }

    @Test func anotherPlaceIsAnotherSound() async throws {
        try await play(seconds: 8) { player, host, reports, samples in
            let first = try #require(await host.next())
            #expect(await self.first(reports) == "started")
            player.control.onCommand = { player.perform($0) }
            player.control.seek(to: CMTime(seconds: 6, preferredTimescale: 1000), tolerance: .zero)
            let second = try #require(await host.next())
            #expect(await readAll(second.reader) == samples.dropFirst(6 * 176_400))
            close(first.reader)
            second.answers.yield(BluetoothAnswer(.done))
            #expect(await self.first(reports) == "ended")
        }
    }

    @Test func aDeviceThatWasSwitchedOffGoesOnWhereItWas() async throws {
        try await play(seconds: 8) { player, host, reports, samples in
            let first = try #require(await host.next())
            #expect(await self.first(reports) == "started")
            #expect(await read(3 * 176_400, from: first.reader) == samples.prefix(3 * 176_400))
            first.answers.yield(.heard(BluetoothSoundPlace(seconds: 2, time: 1, isRunning: false)))
            await eventually { player.control.playbackPosition.position.seconds == 2 }
            // Not there at once: asked again.
            host.refuse([.failed("unreachable", "The device does not answer.")])
            first.answers.yield(.failed("unreachable", "The sound server lost the device."))
            let second = try #require(await host.next())
            #expect(await readAll(second.reader) == samples.dropFirst(2 * 176_400))
            close(first.reader)
            second.answers.yield(BluetoothAnswer(.done))
            #expect(await self.first(reports) == "ended")
        }
    }

    @Test func whyNothingCanBeHeardIsTold() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-nothing-\(UUID().uuidString)")
        let player = BluetoothPlayer(folder.path, nil, on: UUID()) { () async throws(BluetoothAudioError) in
            throw BluetoothAudioError(code: "unreachable", message: "It is gone.", remedy: nil)
        }
        let (reports, sink) = AsyncStream.makeStream(of: String.self)
        player.onReport = { if case .failed(let error) = $0 { sink.yield(error.reason ?? "") } }
        player.start()
        #expect(await first(reports)?.hasPrefix("The media cannot be read") == true)
    }
}

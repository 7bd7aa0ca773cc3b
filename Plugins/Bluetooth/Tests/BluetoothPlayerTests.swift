import DeviceDiscovery
import Foundation
import HostInterface
import SoundServers
import Testing

@testable import BluetoothExtension
@testable import PlaybackKit

@MainActor
@Suite(.timeLimit(.minutes(1))) struct BluetoothPlayerTests {
    private let run = PlaybackRun(1)

    @Test func everySampleIsHandedOnAndItsEndAwaited() async throws {
        try await BluetoothRoom.with { room in
            let (player, reports) = try await room.open()
            _ = try await player.load(room.media, as: run)
            let sound = try #require(await room.host.next())
            #expect(sound.order.device == "hci0" && sound.order.isPaused == false)
            await eventually { reports.snapshot?.isReady == true }
            #expect(reports.snapshot?.isBuffering == true && reports.snapshot?.duration == 2)
            sound.answers.yield(.heard(BluetoothSoundPlace(seconds: 0.5, time: 7_000_000_000, isRunning: true)))
            await eventually { reports.snapshot?.isBuffering == false }
            #expect(reports.snapshot?.rate == 1)
            #expect(await readAll(sound.reader) == room.samples)
            sound.answers.yield(BluetoothAnswer(.done))
            await eventually { reports.ending != nil }
            #expect(reports.ending == .finished && !reports.isOver)
            await player.close()
        }
    }

    @Test func pausingIsTheSoundServers() async throws {
        try await BluetoothRoom.with(seconds: 20) { room in
            let (player, reports) = try await room.open()
            _ = try await player.load(room.media, as: run)
            let sound = try #require(await room.host.next())
            try await player.perform(.setPlaying(false))
            await eventually { room.host.replies.contains { $0.verb == .pause } }
            sound.answers.yield(.heard(BluetoothSoundPlace(seconds: 3, time: 1, isRunning: false)))
            await eventually { reports.snapshot?.position == 3 }
            #expect(reports.snapshot?.rate == 0 && reports.snapshot?.isBuffering == false)
            sound.answers.yield(.key("play"))
            await eventually { room.host.replies.contains { $0.verb == .resume } }
            await eventually { reports.snapshot?.isPlaying == true }
            await player.close()
            close(sound.reader)
        }
    }

    @Test func anotherPositionIsAnotherSound() async throws {
        try await BluetoothRoom.with(seconds: 8) { room in
            let (player, reports) = try await room.open()
            _ = try await player.load(room.media, as: run)
            let first = try #require(await room.host.next())
            try await player.perform(.seek(6))
            let second = try #require(await room.host.next())
            #expect(await readAll(second.reader) == room.samples.dropFirst(6 * BluetoothRoom.bytesPerSecond))
            close(first.reader)
            second.answers.yield(BluetoothAnswer(.done))
            await eventually { reports.ending == .finished }
            await player.close()
        }
    }

    @Test func aDeviceThatWasSwitchedOffContinuesAtTheSamePosition() async throws {
        try await BluetoothRoom.with(seconds: 8) { room in
            let (player, reports) = try await room.open()
            _ = try await player.load(room.media, as: run)
            let first = try #require(await room.host.next())
            #expect(
                await room.read(3 * BluetoothRoom.bytesPerSecond, of: first)
                    == room.samples.prefix(3 * BluetoothRoom.bytesPerSecond))
            first.answers.yield(.heard(BluetoothSoundPlace(seconds: 2, time: 1, isRunning: false)))
            await eventually { reports.snapshot?.position == 2 }
            first.answers.yield(.failed("unreachable", "The sound server lost the device."))
            await eventually { reports.isOver }
            await player.close()
            close(first.reader)

            room.host.refuse(.connect, [.failed("unreachable", "The device does not answer.")])
            let error = await #expect(throws: PlayerOpeningError.self) { try await room.open() }
            #expect(error?.asDeviceError.code == .connectionFailed)
            // Connected again, and lost again before the sound server has it.
            room.host.refuse(.play, [.failed("unreachable", "The device does not answer.")])
            let (second, secondReports) = try await room.open()
            await #expect(throws: MediaDeviceError.self) {
                _ = try await second.adopt(room.media, token: nil, as: run)
            }
            await eventually { secondReports.isOver }
            await second.close()

            let (third, thirdReports) = try await room.open()
            #expect(try await third.adopt(room.media, token: nil, as: run))
            let sound = try #require(await room.host.next())
            #expect(await readAll(sound.reader) == room.samples.dropFirst(2 * BluetoothRoom.bytesPerSecond))
            sound.answers.yield(BluetoothAnswer(.done))
            await eventually { thirdReports.ending == .finished }
            await third.close()
        }
    }

    @Test func aDisconnectionOfASilentDeviceIsALoss() async throws {
        try await BluetoothRoom.with { room in
            let (player, reports) = try await room.open()
            await eventually { room.host.device.isConnected }
            room.host.change { $0.volume = 0.25 }
            await eventually { reports.level?.volume == 0.25 }
            room.host.change { $0.isConnected = false }
            await eventually { reports.isOver }
            await player.close()
            #expect(!room.host.orders.contains(.disconnect))
        }
    }

    @Test func soundOfAnEarlierProcessIsNotAdopted() async throws {
        try await BluetoothRoom.with { room in
            let (player, _) = try await room.open()
            let error = await #expect(throws: MediaDeviceError.self) {
                _ = try await player.adopt(room.media, token: nil, as: run)
            }
            #expect(error?.code == .sessionFailed && error?.detail == .notSupported)
            await player.close()
        }
    }

    @Test func theLastPlayerDisconnects() async throws {
        try await BluetoothRoom.with { room in
            let (first, _) = try await room.open()
            let (second, reports) = try await room.open()
            await first.close()
            #expect(!room.host.orders.contains(.disconnect) && !reports.isOver)
            await second.close()
            #expect(room.host.orders.last == .disconnect && !room.host.device.isConnected)
        }
    }

    @Test func mediaThatCannotBeReadIsRefused() async throws {
        try await BluetoothRoom.with { room in
            let (player, _) = try await room.open()
            let error = await #expect(throws: MediaDeviceError.self) {
                _ = try await player.load(BluetoothRoom.media("/nowhere.flac"), as: run)
            }
            #expect(error?.reason?.hasPrefix("The media cannot be read") == true)
            await player.close()
        }
    }

    // MARK: Pairing

    @Test(arguments: [true, false])
    func aPersonComparesTheDigits(agrees: Bool) async throws {
        try await BluetoothRoom.with(isPaired: false) { room in
            var challenge = BluetoothAnswer(.challenge)
            challenge.challenge = .comparison
            challenge.number = "000042"
            room.host.challenge(challenge)
            var shown: [SecretRequest] = []
            let prompt = PlayerPrompt { shown.append($0) }
            let opening = Task { () -> Result<BluetoothPlayer, PlayerOpeningError> in
                do throws(PlayerOpeningError) {
                    return .success(try await room.devices.open(room.speaker, secret: .none, prompt: prompt))
                } catch {
                    return .failure(error)
                }
            }
            await eventually { !shown.isEmpty }
            #expect(shown.first?.reason.contains("000042") == true)
            await eventually { prompt.answer(agrees ? "" : nil) }
            switch await opening.value {
            case .success(let player):
                #expect(agrees && player.secretToStore == Data("bluetooth-bond 00:AA:01:02:00:02".utf8))
                await eventually { room.credentials.last == player.secretToStore }
                await player.close()
            case .failure(let error): #expect(!agrees && error.asDeviceError.code == .authorizationFailed)
            }
        }
    }

    @Test func aDeviceThatWasForgottenIsNotPairedUnasked() async throws {
        try await BluetoothRoom.with(isPaired: false) { room in
            let error = await #expect(throws: PlayerOpeningError.self) { try await room.open() }
            #expect(error?.asDeviceError.code == .authorizationFailed)
            #expect(!room.host.orders.contains(.pair))
        }
    }

    /// Closing a player doesn't disconnect the device of a player that is being opened, at any step of the opening.
    @Test(arguments: 0..<12) func whatIsOpenedDuringAClosingStaysConnected(turns: Int) async throws {
        try await BluetoothRoom.with { room in
            let (first, _) = try await room.open()
            let opening = Task { try await room.open() }
            for _ in 0..<turns { await Task.yield() }
            await first.close()
            let (second, reports) = try await opening.value
            #expect(room.host.device.isConnected)
            #expect(room.host.orders.last != .disconnect)
            #expect(!reports.isOver)
            await second.close()
            #expect(!room.host.device.isConnected)
        }
    }
}

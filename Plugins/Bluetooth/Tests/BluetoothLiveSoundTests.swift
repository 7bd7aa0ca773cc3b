import DBus
import DeviceDiscovery
import Foundation
import HostInterface
import PacketSockets
import SoundServers
import Testing

@testable import BluetoothExtension
@testable import MediaDevice
@testable import PlaybackKit

/// Samples that the host delivers, on their way to the sound server.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct BluetoothLiveSoundTests {
    private let run = PlaybackRun(1)
    private let session = MediaOutputSession(id: "session")

    /// - Returns: The samples, and the end of their socket that the host has.
    private func deliver(latency: Double? = nil) throws -> (SampleRelay, DBusDescriptor) {
        let format = try SampleFormat(encoding: "s16le", rate: 44_100, channels: 2)
        let (delivered, sending) = try #require(DeliveredSamples.pair(format, latency: latency))
        session.samples = SampleSocket(delivered.socket, format, latency: delivered.latency)
        return (SampleRelay(try MediaSampleReader(session: session, encoding: .signed16, channelCount: 2)), sending)
    }

    private func send(_ samples: Data, from frame: Int, on socket: DBusDescriptor) throws {
        let packet = SamplePacket(frame: UInt64(frame), time: 0).packet(of: samples)
        try #require(PacketSocket.send(packet, on: socket.number, waits: false))
    }

    @Test func samplesAreHandedOnWithTheLatencyThatIsAskedFor() async throws {
        try await BluetoothRoom.with { room in
            let (player, reports) = try await room.open()
            session.mediaInformation = .init(title: "Rain")
            let (relay, socket) = try deliver(latency: 0.1)
            try await player.play(relay.samples(in: session), as: run)
            let sound = try #require(await room.host.next())
            #expect(sound.order.latency == 0.1 && sound.order.media?.title == "Rain")
            let samples = room.samples.prefix(441 * 4 * 5)
            try send(Data(samples), from: 0, on: socket)
            shutdown(socket.number, Int32(SHUT_WR))
            #expect(await readAll(sound.reader) == samples)
            sound.answers.yield(.heard(BluetoothSoundPlace(seconds: 0.05, time: 7_000_000_000, isRunning: true)))
            await eventually { reports.snapshot?.position == 0.05 || reports.snapshot?.rate == 1 }
            #expect(reports.snapshot?.isLive == true && reports.snapshot?.canSeek == false)
            await eventually { room.host.replies.contains { $0.media?.title == "Rain" } }
            sound.answers.yield(BluetoothAnswer(.done))
            await eventually { reports.ending == .finished }
            await player.close()
        }
    }

    /// The position after a loss is that of the samples: a sink's latency follows from it.
    @Test func theNextConnectionContinuesWhereTheSamplesAre() async throws {
        try await BluetoothRoom.with { room in
            let (first, firstReports) = try await room.open()
            let (relay, socket) = try deliver()
            try await first.play(relay.samples(in: session), as: run)
            let sound = try #require(await room.host.next())
            #expect((0.02...0.5).contains(sound.order.latency ?? 0))
            let length = BluetoothRoom.bytesPerSecond / 100
            let blocks = (0..<3).map { Data(room.samples.dropFirst($0 * length).prefix(length)) }
            try send(blocks[0], from: 0, on: socket)
            try send(blocks[1], from: 88_200, on: socket)
            #expect(await room.read(2 * length, of: sound) == blocks[0] + blocks[1])
            sound.answers.yield(.failed("unreachable", "The sound server lost the device."))
            await eventually { firstReports.isOver }
            relay.interrupt()
            await first.close()
            close(sound.reader)

            let (next, reports) = try await room.open()
            try await next.play(relay.samples(in: session), as: run)
            let again = try #require(await room.host.next())
            try send(blocks[2], from: 88_641, on: socket)
            _ = await room.read(length, of: again)
            again.answers.yield(.heard(BluetoothSoundPlace(seconds: 0, time: 1, isRunning: false)))
            // It begins with the second block or, if the first connection had finished with it, with the third.
            await eventually { reports.snapshot.map { (2...2.01).contains($0.position) } == true }
            shutdown(socket.number, Int32(SHUT_WR))
            await next.close()
            close(again.reader)
        }
    }

    @Test func aSpeakerThatIsOffIsALoss() async throws {
        try await BluetoothRoom.with { room in
            let (player, reports) = try await room.open()
            let (relay, _) = try deliver()
            room.host.refuse(.play, [.failed("unreachable", "The device does not answer.")])
            await #expect(throws: MediaDeviceError.self) { try await player.play(relay.samples(in: session), as: run) }
            await eventually { reports.isOver }
            await player.close()
        }
    }
}

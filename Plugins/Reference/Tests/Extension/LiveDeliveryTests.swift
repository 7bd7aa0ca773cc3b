import Foundation
import MediaDeviceTesting
import ReferenceProtocol
import Synchronization
import Testing

@testable import ReferenceExtension
@testable import ReferenceReceiver

/// Live sound and pictures, on real receivers on loopback.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct LiveDeliveryTests {
    private let home = Home()
    private let clock = ManualClock()
    private let system: TestSystem<ReferenceExtension>
    private let folder = FileManager.default.temporaryDirectory.appending(path: "reference-live-\(UUID().uuidString)")

    init() throws {
        let clock = clock
        system = TestSystem(ReferenceExtension(clock: clock), hostName: "desk")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A receiver that keeps what it gets in files, announced to the extension.
    private func withReceiver(
        _ name: String = "TV", clock: @escaping @Sendable () -> Double = { ReferenceReceiver.hostTime },
        _ change: (inout ReceiverSettings) -> Void = { _ in },
        _ body: (Home.Receiver, MediaOutputDevice) async throws -> Void
    ) async throws {
        try await home.withReceiver(
            {
                $0.authorization = .none
                $0.soundFile = path("\(name).sound")
                $0.pictureFile = path("\(name).h264")
                change(&$0)
            }, clock: clock
        ) { receiver in
            system.network.announce(
                name, type: ReferenceAnnouncement.serviceType, addresses: ["127.0.0.1"], port: receiver.place.port,
                txt: receiver.place.announcement.txt)
            system.startDiscovery()
            try await body(receiver, try await system.foundDevice(named: name))
        }
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func kept(_ name: String) -> Data { FileManager.default.contents(atPath: path(name)) ?? Data() }

    /// A time of the source at which a busy computer isn't late.
    private static var soon: Double { ReferenceReceiver.hostTime + 30 }

    private func waits(until fits: () async -> Bool) async {
        while !Task.isCancelled, await !fits() { await Task.yield() }
    }

    private func activated(_ device: MediaOutputDevice) async throws -> TestSession<ReferenceExtension> {
        let session = system.activate(device)
        try await session.activated()
        return session
    }

    private static func samples(_ frames: Int, seed: Int = 0) -> Data {
        Data((0..<frames * 4).map { UInt8(truncatingIfNeeded: ($0 + seed) &* 167) })
    }

    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    }

    @Test func soundArrivesBitForBit() async throws {
        try await withReceiver { receiver, device in
            #expect(device.capabilities.isSuperset(of: [.realtimeAudioStreaming, .realtimeVideoStreaming]))
            let session = try await activated(device)
            let delivery = try session.startSampleDelivery(information: .init(title: "Radio", artist: "Ann"))
            let begin = Self.soon
            var all = Data()
            for block in 0..<20 {
                let samples = Self.samples(1024, seed: block)
                try delivery.send(samples, at: Self.time(begin + Double(block) * 1024 / 44_100))
                all += samples
            }
            await waits { kept("TV.sound").count == all.count }
            #expect(kept("TV.sound") == all)
            let state = try #require(await receiver.receiver.playback)
            #expect(state.title == "Radio" && state.subtitle == "Ann" && state.isLive && state.duration == nil)
            try await system.report("the latency") { [id = session.id] in
                if case .qualityMeasured(let quality, id) = $0 { quality.latency == 0.3 } else { false }
            }
            session.changeMediaInformation(.init(title: "News"))
            try await receiver.sees { if case .playback(let state?) = $0 { state.title == "News" } else { false } }

            await receiver.receiver.perform(.togglePlayback)
            #expect(await receiver.receiver.playback?.isPlaying == true, "only the source can pause")
            session.stopSampleDelivery()
            try await receiver.sees { $0 == .playback(nil) }
            try await system.report("the quality") { [id = session.id] in
                $0 == .qualityReported(thresholdsMet: true, session: id)
            }
        }
    }

    @Test func aScreenArrivesWithItsSound() async throws {
        try await withReceiver { _, device in
            let session = try await activated(device)
            let delivery = try session.startVideoDelivery()
            let begin = Self.soon
            var pictures = Data()
            for number in 0..<5 {
                // The first is longer than a packet of the host, and than what the connection takes at once.
                let unit = Data((0..<(number == 0 ? 150_000 : 5_000)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
                let time = Self.time(begin + Double(number) / 30)
                try delivery.send(MediaVideoFrame(accessUnit: unit, isKeyFrame: number == 0, hostTime: time))
                pictures += unit
                await waits { kept("TV.h264").count == pictures.count }
            }
            try delivery.sound.send(Self.samples(960), at: Self.time(Self.soon))
            await waits { kept("TV.sound").count == 960 * 4 }
            #expect(kept("TV.h264") == pictures && kept("TV.sound") == Self.samples(960))
            session.stopSampleDelivery()
        }
    }

    @Test func whatIsTooLateIsNotPlayed() async throws {
        try await withReceiver { _, device in
            let session = try await activated(device)
            let delivery = try session.startSampleDelivery()
            try delivery.send(Self.samples(1024), at: Self.time(ReferenceReceiver.hostTime - 2))
            try delivery.send(Self.samples(512), at: Self.time(Self.soon))
            await waits { !kept("TV.sound").isEmpty }
            #expect(kept("TV.sound") == Self.samples(512))
            await clock.advance(by: .seconds(4))
            try await system.report("the late block") { [id = session.id] in
                if case .qualityMeasured(let quality, id) = $0 {
                    quality.packetsLate == 1 && quality.packetsSent == 2
                } else {
                    false
                }
            }
            session.stopSampleDelivery()
            try await system.report("the quality") { [id = session.id] in
                $0 == .qualityReported(thresholdsMet: false, session: id)
            }
        }
    }

    @Test func severalPlayTheSameAtTheSameTime() async throws {
        let passed = Mutex(0.0)
        func clock(ahead: Double) -> @Sendable () -> Double {
            { ReferenceReceiver.hostTime + ahead + passed.withLock { $0 } }
        }
        try await withReceiver("Living Room", clock: clock(ahead: 1000)) { living, first in
            try await withReceiver("Kitchen", clock: clock(ahead: -500)) { kitchen, second in
                let session = try await activated(first)
                try await system.activate(second, joining: session).activated()
                let delivery = try session.startSampleDelivery()
                let begin = Self.soon
                for block in 0..<10 {
                    try delivery.send(Self.samples(1024), at: Self.time(begin + Double(block) * 1024 / 44_100))
                }
                await waits { kept("Kitchen.sound").count == 40_960 && kept("Living Room.sound").count == 40_960 }
                passed.withLock { $0 = 60 }
                for (room, ahead) in [(living, 1000.0), (kitchen, -500)] {
                    let state = try #require(await room.receiver.playback)
                    let beginning = state.time - state.position - ahead
                    #expect(state.rate == 1 && abs(beginning - begin - 0.3) < 0.025, "\(beginning - begin) s")
                }
                session.stopSampleDelivery()
            }
        }
    }

    @Test func aPersonEndsItAtTheReceiver() async throws {
        try await withReceiver { receiver, device in
            let session = try await activated(device)
            let delivery = try session.startSampleDelivery()
            try delivery.send(Self.samples(1024), at: Self.time(Self.soon))
            try await receiver.sees { if case .playback(let state?) = $0 { !state.isBuffering } else { false } }
            await receiver.receiver.perform(.stop)
            try await system.report("the end") { [id = session.id] in
                if case .sessionEnded(id, _) = $0 { true } else { false }
            }
        }
    }

    @Test func aSpeakerShowsNoPictures() async throws {
        try await withReceiver("Box", { $0.kind = .speaker }) { _, device in
            #expect(!device.capabilities.contains(.realtimeVideoStreaming))
            let session = try await activated(device)
            _ = try session.startVideoDelivery()
            try await system.report("the refusal") { [id = session.id] in
                if case .sessionFailed(id, let error) = $0 { error.code == "unsupported-format" } else { false }
            }
        }
    }

    @Test func aReceiverThatIsSwitchedOffIsLost() async throws {
        try await withReceiver { receiver, device in
            let session = try await activated(device)
            let delivery = try session.startSampleDelivery()
            try delivery.send(Self.samples(1024), at: Self.time(Self.soon))
            try await receiver.sees { if case .playback(let state?) = $0 { !state.isBuffering } else { false } }
            receiver.switchOff()
            try await system.report("the loss") { [id = session.id] in
                if case .activationFailed(device.id, id, _) = $0 { true } else { false }
            }
        }
    }
}

import Foundation
import MediaDeviceTesting
import PlaybackKit
import Testing

/// Live samples, which the host delivers.
extension PlayerExtensionTests {
    private static func block(_ byte: UInt8) -> Data { Data(repeating: byte, count: 400) }

    private func activated() async throws -> (TestSession<ScriptedExtension>, ScriptedPlayer) {
        let session = system.activate(try device())
        try await session.activated()
        return (session, try #require(described.player))
    }

    private func quality(of session: TestSession<ScriptedExtension>) async throws -> Bool {
        let report = try await system.report("the quality") {
            if case .qualityReported(_, session.id) = $0 { true } else { false }
        }
        guard case .qualityReported(let isGood, _) = report else { throw NotInTime() }
        return isGood
    }

    @Test func samplesArriveInTheFormatOfTheDevice() async throws {
        let (session, player) = try await activated()
        let delivery = try session.startSampleDelivery(
            MediaSampleFormat(encoding: .float32, sampleRate: 48_000, channelCount: 1))
        try delivery.send(withUnsafeBytes(of: Float(0.5).bitPattern.littleEndian) { Data($0) })
        try await until("played") { player.received.count == 1 }
        #expect(player.received == [Data([0x00, 0x40, 0x00, 0x40])])
        #expect(player.samples?.format == MediaSampleFormat(encoding: .signed16, sampleRate: 48_000, channelCount: 2))
        #expect(session.control == nil, "the device reports nothing")
        delivery.finish()
        try await until("the end") { player.hasPlayedAll }
        #expect(ended(session).isEmpty, "the host knows it")
        session.stopSampleDelivery()
        #expect(try await quality(of: session))
        try await until("stopped") { player.asked.last == .stop }
    }

    @Test func aStopEndsTheSamples() async throws {
        let (session, player) = try await activated()
        let delivery = try session.startSampleDelivery()
        try delivery.send(Self.block(1))
        try await until("played") { player.received.count == 1 }
        session.stopSampleDelivery()
        try await until("the end") { player.hasPlayedAll && player.asked.last == .stop }
        let again = try session.startSampleDelivery()
        try again.send(Self.block(2))
        try await until("played again") { player.received == [Self.block(1), Self.block(2)] }
    }

    @Test func missingFramesAreReported() async throws {
        let (session, player) = try await activated()
        let delivery = try session.startSampleDelivery()
        try delivery.send(Self.block(1))
        delivery.skip(frames: 1)
        try delivery.send(Self.block(2))
        try await until("played") { player.received.count == 2 }
        session.stopSampleDelivery()
        #expect(try await !quality(of: session))
    }

    @Test func theNextConnectionGetsTheBlockThatWasLost() async throws {
        let (session, first) = try await activated()
        let delivery = try session.startSampleDelivery()
        try delivery.send(Self.block(1))
        try await until("played") { first.received.count == 1 }
        first.loses = true
        try delivery.send(Self.block(2))
        try await until("lost") { !first.loses }
        try delivery.send(Self.block(3))
        try await advance(by: .milliseconds(250), until: "another connection") { described.players.count == 2 }
        let second = try #require(described.player)
        try await until("the rest") { second.received == [Self.block(2), Self.block(3)] }
        #expect(second.run == first.run && first.received == [Self.block(1)])
        session.stopSampleDelivery()
        #expect(try await !quality(of: session))
    }

    /// The device's connection is lost while no samples come, as during a pause of the source.
    @Test func aLossInSilenceLosesNothing() async throws {
        let (session, first) = try await activated()
        let delivery = try session.startSampleDelivery()
        try delivery.send(Self.block(1))
        try await until("waits for the second") { first.received.count == 1 }
        first.lose()
        try await advance(by: .milliseconds(250), until: "another connection") { described.players.count == 2 }
        let second = try #require(described.player)
        try await until("continued") { second.samples != nil && first.hasPlayedAll }
        try delivery.send(Self.block(2))
        try await until("the rest") { second.received.last == Self.block(2) }
    }

    @Test func whatIsRefusedEndsTheSession() async throws {
        let (session, player) = try await activated()
        player.refusal = MediaDeviceError(.sessionFailed, detail: .unsupportedFormat, reason: "Not at this rate.")
        _ = try session.startSampleDelivery()
        let error = try await #require(throws: ReportedError.self) { try await session.ended() }
        #expect(error.code == "unsupported-format" && error.message == "Not at this rate.")
        #expect(ended(session).count == 1)
    }

    @Test func aDeviceThatReportsItsStateCanBePaused() async throws {
        let (session, player) = try await activated()
        let delivery = try session.startSampleDelivery(information: .init(title: "First"))
        try delivery.send(Self.block(1))
        try await until("played") { player.received.count == 1 }
        let run = try #require(player.run)
        player.send(.playback(PlaybackSnapshot(isPlaying: true, position: 0), of: run))
        try await session.started()
        let control = try #require(session.control)
        #expect(control.metadata.title == "First")
        session.changeMediaInformation(.init(title: "Second"))
        try await until("the title changes") { control.metadata.title == "Second" }
        control.isPlaying = false
        try await until("asked to pause") { player.asked.last == .perform(.setPlaying(false)) }
        let quality = RealtimeQuality(
            packetsSent: 1, packetsLate: 0, packetsLost: 0, packetsResent: 0, stalls: 0, latency: 0.2)
        player.send(.quality(quality, of: run))
        try await system.report("the quality") { [id = session.id] in $0 == .qualityMeasured(quality, session: id) }
        player.send(.ended(.finished, of: run))
        try await session.ended()
    }

    /// As it is for devices that read the sound of this computer from a URL.
    @Test func anotherDescriptionOfLiveSoundIsToldToTheDevice() async throws {
        let (session, player) = try await activated()
        player.holdsLoads = true
        session.start(media, information: .init(title: "First", isLiveSound: true))
        try await until("asked to load") { player.gate != nil }
        session.changeMediaInformation(.init(title: "Second", isLiveSound: true))
        player.answerWish()
        try await until("told once it has loaded") { player.asked.last == .describe(title: "Second") }
        let run = try #require(player.run)
        var snapshot = PlaybackSnapshot(isPlaying: true, position: 0)
        snapshot.title = "Stream"
        player.send(.playback(snapshot, of: run))
        try await session.started()
        #expect(session.control?.metadata.title == "Second")
        session.changeMediaInformation(.init(title: "Third", isLiveSound: true))
        try await until("told again") { player.asked.last == .describe(title: "Third") }
        #expect(session.control?.metadata.title == "Third")
        #expect(player.asked == [.load(media), .describe(title: "Second"), .describe(title: "Third")])
        session.stop()
        try await until("stopped") { player.asked.last == .stop }
        session.changeMediaInformation(.init(title: "Fourth", isLiveSound: true))
        try await until("the end") { ended(session).isEmpty }
        #expect(player.asked.last == .stop)
    }

    @Test func otherMediaTakeThePlaceOfSamples() async throws {
        let (session, player) = try await activated()
        let delivery = try session.startSampleDelivery()
        try delivery.send(Self.block(1))
        try await until("played") { player.received.count == 1 }
        let other = system.activate(try device())
        try await other.activated()
        other.start(media)
        try await until("the end of the samples") { player.hasPlayedAll }
        #expect(ended(session).count == 1)
        try await until("loaded") { player.asked.last == .load(media) }
    }
}

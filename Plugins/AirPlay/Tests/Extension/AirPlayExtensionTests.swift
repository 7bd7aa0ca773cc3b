import AirPlayProtocol
import Foundation
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import AirPlayExtension

/// The extension as the host calls it, against a receiver that records the requests and audio it receives.
@Suite(.serialized, .timeLimit(.minutes(1)))
@MainActor
struct AirPlayExtensionTests {
    private let system = TestSystem.readingMedia(
        AirPlayExtension(
            .init(
                timeouts: AirPlayTimeouts(connecting: .seconds(2), answer: .seconds(5)),
                ports: StreamPorts(range: 26_001...26_032), reconnection: ReconnectPolicy(limit: .seconds(2)))))

    private func device(_ receiver: FakeReceiver, saysPassword: Bool = false) throws -> MediaOutputDevice {
        try device(receiver.port, saysPassword: saysPassword)
    }

    private func device(_ port: Int, saysPassword: Bool = false) throws -> MediaOutputDevice {
        let number = try #require(NWEndpoint.Port(rawValue: UInt16(port)))
        return try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "Room", capabilities: .realtimeAudioStreaming, deviceType: .hifiSpeaker,
                volumeControl: .absolute, canMute: true,
                requiredNetworkEndpoints: [.hostPort(host: NWEndpoint.Host("127.0.0.1"), port: number)],
                txtRecords: [NWTXTRecord(["password": saysPassword ? "true" : "false", "metadata": "0,1,2"])]))
    }

    private func active(_ device: MediaOutputDevice) async throws -> TestSession<AirPlayExtension> {
        let session = system.activate(device)
        try await session.activated()
        return session
    }

    @Test func everySampleIsSentInItsTime() async throws {
        let receiver = try await FakeReceiver()
        let file = try WaveFile(seconds: 2.5)
        let session = try await active(device(receiver))
        session.start(file.url)
        try await session.started()
        #expect(session.control?.isPlaying == true)
        #expect(abs((session.control?.timeRange.duration.seconds ?? 0) - 2.5) < 0.001)
        try await session.ended()
        let received = receiver.now()
        // Silence first, for receivers that mute the beginning.
        #expect(received.audio.first?.dropFirst(12) == LosslessFrame.encode([])[...])
        #expect(received.payloads == file.payloads())
        #expect(received.control.contains { $0.prefix(2) == [0x90, 0xD4] })
        #expect(received.timingAnswers == 1)
        #expect(received.count("TEARDOWN") == 1)
        // The quality itself depends on the load of the machine.
        #expect(
            system.reports.contains { if case .qualityReported(_, session.id) = $0 { true } else { false } })
        await receiver.stop()
    }

    @Test func lostPacketsAreSentAgain() async throws {
        let receiver = try await FakeReceiver(FakeReceiver.Behaviour(losesPackets: true))
        let file = try WaveFile(seconds: 1.5)
        let session = try await active(device(receiver))
        session.start(file.url)
        try await session.ended()
        let received = receiver.now()
        #expect(received.resent.count == received.audio.count / 10)
        #expect(received.resent.allSatisfy { received.audio.contains(Array($0.dropFirst(4))) })
        #expect(
            system.reports.contains {
                if case .qualityMeasured(let quality, session.id) = $0 { quality.latency == 2 } else { false }
            })
        await receiver.stop()
    }

    @Test func pausesAndSeeksWithAFlush() async throws {
        let receiver = try await FakeReceiver()
        let file = try WaveFile(seconds: 20)
        let session = try await active(device(receiver))
        session.start(file.url)
        try await session.started()
        let control = try #require(session.control)
        #expect(control.supportedSeekCapabilities == .seek)
        control.isPlaying = false
        await eventually("a flush") { receiver.now().count("FLUSH") == 1 }
        await eventually("the clock stands") { control.playbackPosition.rate == 0 }
        let silent = receiver.now().audio.count
        control.seek(to: CMTime(seconds: 12, preferredTimescale: 1000), tolerance: .zero)
        await eventually("12 s") { control.playbackPosition.position.seconds == 12 }
        #expect(receiver.now().audio.count == silent, "it is sent while it pauses")
        control.isPlaying = true
        let expected = file.payloads(from: 12)[0]
        await eventually("the samples from 12 s on") {
            receiver.now().audio.contains { Array($0.dropFirst(12)) == expected }
        }
        session.stop()
        await eventually("the end") { receiver.now().count("TEARDOWN") == 1 }
        await receiver.stop()
    }

    @Test func tellsWhatPlaysAndTakesTheReceiversLevel() async throws {
        let receiver = try await FakeReceiver()
        let device = try device(receiver)
        let session = try await active(device)
        let file = try WaveFile(seconds: 10)
        defer { withExtendedLifetime(file) {} }
        session.start(file.url, information: .init(title: "Noise", artist: "Nobody"))
        try await session.started()
        await eventually("text") {
            receiver.now().requests.contains {
                $0.headers["Content-Type"] == MediaText.contentType
                    && $0.body == MediaText(title: "Noise", artist: "Nobody").encoded
            }
        }
        func parameters() -> [String] {
            receiver.now().requests.filter { $0.method == "SET_PARAMETER" }
                .map { String(decoding: $0.body, as: UTF8.self) }
        }
        #expect(parameters().contains { $0.hasPrefix("progress: ") })
        #expect(!parameters().contains { $0.hasPrefix("volume") }, "nobody asked for a level")
        #expect(system.volume(of: device).level == 0.5)
        try system.setVolume(0.25, for: device)
        await eventually("a quarter") { parameters().contains("volume: -22.500000\r\n") }
        try system.toggleMute(of: device)
        await eventually("silence") { parameters().last == "volume: -144.000000\r\n" }
        #expect(system.volume(of: device).isMuted)
        try system.toggleMute(of: device)
        await eventually("a quarter again") { parameters().last == "volume: -22.500000\r\n" }
        session.deactivate()
        await receiver.stop()
    }

    /// The volumes that the receiver was told, in its decibels.
    private func levels(_ receiver: FakeReceiver) -> [Float] {
        receiver.now().requests.filter { $0.method == "SET_PARAMETER" }
            .compactMap { String(decoding: $0.body, as: UTF8.self).firstMatch(of: /^volume: (-?[0-9.]+)/)?.1 }
            .compactMap { Float($0) }
    }

    @Test func aLevelThatIsSetBeforeAppliesToTheNextPlayback() async throws {
        let receiver = try await FakeReceiver()
        let device = try device(receiver)
        let file = try WaveFile(seconds: 10)
        defer { withExtendedLifetime(file) {} }
        let before = try await active(device)
        try system.setVolume(0.25, for: device)
        before.deactivate()
        let session = try await active(device)
        #expect(system.volume(of: device).level == 0.25)
        session.start(file.url)
        try await session.started()
        await eventually("a quarter") { levels(receiver) == [-22.5] }
        session.deactivate()
        await eventually("the end") { receiver.now().count("TEARDOWN") == 1 }
        let next = try await active(device)
        next.start(file.url)
        try await next.started()
        await eventually("its own level") { system.volume(of: device).level == 0.5 }
        #expect(levels(receiver) == [-22.5], "set once")
        next.deactivate()
        await receiver.stop()
    }

    @Test func aReceiverThatIsMutedBeforeGetsItsOwnLevelBack() async throws {
        let receiver = try await FakeReceiver()
        let device = try device(receiver)
        let file = try WaveFile(seconds: 10)
        defer { withExtendedLifetime(file) {} }
        let before = try await active(device)
        try system.toggleMute(of: device)
        before.deactivate()
        let session = try await active(device)
        session.start(file.url)
        try await session.started()
        await eventually("silence") { levels(receiver) == [-144] }
        #expect(system.volume(of: device).isMuted)
        try system.toggleMute(of: device)
        await eventually("half, which it reported") { levels(receiver) == [-144, -15] }
        session.deactivate()
        await receiver.stop()
    }

    @Test func muteAndUnmuteBeforePlaybackLeaveTheLevel() async throws {
        let receiver = try await FakeReceiver()
        let device = try device(receiver)
        let file = try WaveFile(seconds: 10)
        defer { withExtendedLifetime(file) {} }
        let session = try await active(device)
        try system.toggleMute(of: device)
        try system.toggleMute(of: device)
        session.start(file.url)
        try await session.started()
        await eventually("half") { system.volume(of: device).level == 0.5 }
        #expect(levels(receiver).isEmpty)
        session.deactivate()
        await receiver.stop()
    }

    @Test func tellsTheTitleThatChangesWhileSamplesPlay() async throws {
        let receiver = try await FakeReceiver()
        let session = try await active(try device(receiver))
        let delivery = try session.startSampleDelivery(information: .init(title: "Sound of home"))
        for _ in 0..<20 {
            await eventually("samples are taken") { (try? delivery.send(Data(count: 16_000))) != nil }
        }
        try await session.started()
        func isTold(_ text: MediaText) -> Bool {
            receiver.now().requests.contains {
                $0.headers["Content-Type"] == MediaText.contentType && $0.body == text.encoded
            }
        }
        await eventually("the first title") { isTold(MediaText(title: "Sound of home")) }
        session.changeMediaInformation(.init(title: "Aria", artist: "Somebody"))
        await eventually("the next title") { isTold(MediaText(title: "Aria", artist: "Somebody")) }
        #expect(session.control?.metadata.title == "Aria" && session.control?.metadata.subtitle == "Somebody")
        session.stopSampleDelivery()
        await receiver.stop()
    }

    @Test func asksForAPasswordOnceAndKeepsIt() async throws {
        let receiver = try await FakeReceiver(FakeReceiver.Behaviour(password: "sesame"))
        let device = try device(receiver, saysPassword: true)
        let wrong = system.activate(device)
        let request = try await wrong.pairingRequest()
        #expect(request.method == .password && request.reason == "Playing on “Room” takes a password.")
        wrong.answer("wrong")
        let error = try await #require(throws: ReportedError.self) { try await wrong.activated() }
        #expect(error.code == "authorization-failed")
        #expect(system.credential(for: device) == nil)
        let right = system.activate(device)
        _ = try await right.pairingRequest()
        right.answer("sesame")
        try await right.activated()
        #expect(system.credential(for: device) == Data("sesame".utf8))
        let file = try WaveFile(seconds: 0.5)
        defer { withExtendedLifetime(file) {} }
        right.start(file.url)
        try await right.ended()
        right.deactivate()
        await receiver.stop()
    }

    @Test func tellsThatItsPacketsDoNotComeBack() async throws {
        let receiver = try await FakeReceiver(FakeReceiver.Behaviour(asksForTime: false))
        let session = try await active(device(receiver))
        let begun = ContinuousClock.now
        let file = try WaveFile(seconds: 10)
        defer { withExtendedLifetime(file) {} }
        session.start(file.url)
        try await session.started()
        let error = try await #require(throws: ReportedError.self) { try await session.ended() }
        #expect(error.code == "reverse-connection-blocked")
        let port = error.message.firstMatch(of: /UDP on port (\d+)/).flatMap { Int($0.output.1) }
        #expect(port.map { (26_001...26_032).contains($0) } == true, "\(error.message)")
        #expect(ContinuousClock.now - begun < .seconds(8))
        await receiver.stop()
    }

    @Test func tellsWhySpeakersRefuse() async throws {
        let busy = try await FakeReceiver(FakeReceiver.Behaviour(announceStatus: 453))
        let file = try WaveFile(seconds: 1)
        defer { withExtendedLifetime(file) {} }
        let first = try await active(device(busy))
        first.start(file.url)
        let inUse = try await #require(throws: ReportedError.self) { try await first.started() }
        #expect(inUse.code == "device-in-use")
        await busy.stop()
        let missing = try await FakeReceiver()
        let second = try await active(device(missing))
        second.start(URL(filePath: "/nonexistent.flac"))
        let unreadable = try await #require(throws: ReportedError.self) { try await second.started() }
        #expect(unreadable.code == "unreachable-url")
        await missing.stop()
        let third = system.activate(try device(missing))
        let gone = try await #require(throws: ReportedError.self) { try await third.activated() }
        #expect(gone.code == "unreachable")
    }

    @Test func aLostReceiverIsFoundAgain() async throws {
        let receiver = try await FakeReceiver()
        let file = try WaveFile(seconds: 3)
        let session = try await active(device(receiver))
        session.start(file.url)
        try await session.started()
        await eventually("sound") { receiver.now().audio.count > 60 }
        receiver.hangUp()
        await eventually("a second connection") { receiver.now().count("RECORD") == 2 }
        try await session.ended()
        // All audio arrived, though some of it was sent twice.
        #expect(Set(receiver.now().payloads).isSuperset(of: file.payloads()))
        await receiver.stop()
    }

    @Test func aReceiverThatStaysAwayEndsThePlayback() async throws {
        let receiver = try await FakeReceiver()
        let session = try await active(device(receiver))
        let file = try WaveFile(seconds: 10)
        defer { withExtendedLifetime(file) {} }
        session.start(file.url)
        try await session.started()
        await receiver.stop()
        let error = try await #require(throws: ReportedError.self) { try await session.ended() }
        #expect(error.code == "unreachable")
    }

    /// The samples are read here, so a new process can go on where the former one was.
    @Test func whatAnEarlierProcessPlayedGoesOn() async throws {
        let receiver = try await FakeReceiver()
        let file = try WaveFile(seconds: 20)
        let session = try await active(device(receiver))
        let place = PlaybackPlace(frame: 441_000, time: StreamSender.now, isPlaying: false)
        try session.adopt(EarlierPlayback(url: file.url, token: place.data))
        try await session.started()
        let control = try #require(session.control)
        #expect(!control.isPlaying && control.playbackPosition.position.seconds == 10)
        #expect(receiver.now().audio.isEmpty)
        control.isPlaying = true
        let expected = file.payloads(from: 10)[0]
        await eventually("the samples from 10 s on") {
            receiver.now().audio.contains { Array($0.dropFirst(12)) == expected }
        }
        session.stop()
        let over = PlaybackPlace(frame: 441_000, time: StreamSender.now + -15, isPlaying: true)
        let late = try await active(device(receiver))
        try late.adopt(EarlierPlayback(url: file.url, token: over.data))
        try await late.ended()
        await receiver.stop()
    }
}

import AirPlayProtocol
import Foundation
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import AirPlayExtension

/// Buttons that a person presses on receivers.
@Suite(.serialized, .timeLimit(.minutes(1)))
@MainActor
struct RemoteTests {
    private let system = TestSystem.readingMedia(
        AirPlayExtension(
            .init(
                timeouts: AirPlayTimeouts(connecting: .seconds(2), answer: .seconds(5)),
                ports: StreamPorts(range: 26_201...26_232), reconnection: ReconnectPolicy(limit: .seconds(2)),
                remotes: SpeakerRemotes(linger: .zero))))

    private func play(_ file: WaveFile, on device: MediaOutputDevice) async throws -> TestSession<AirPlayExtension> {
        let session = system.activate(device)
        try await session.activated()
        session.start(file.url)
        try await session.started()
        return session
    }

    private func levels(_ receiver: FakeReceiver) -> [String] {
        receiver.now().requests.filter { $0.method == "SET_PARAMETER" }
            .map { String(decoding: $0.body, as: UTF8.self) }.filter { $0.hasPrefix("volume") }
    }

    @Test func isToldToTheReceiverAndAnnounced() async throws {
        let receiver = try await FakeReceiver()
        let file = try WaveFile(seconds: 10)
        let session = try await play(file, on: try receiver.device())
        let service = try #require(system.network.ownServices.first)
        #expect(system.network.ownServices.count == 1)
        #expect(service.type == "_dacp._tcp" && service.interface == "lo")
        #expect(service.txt["txtvers"] == "1" && service.txt["Ver"] == "131073")
        for method in ["ANNOUNCE", "SETUP", "RECORD"] {
            let headers = try #require(receiver.now().requests.first { $0.method == method }?.headers)
            let identifier = try #require(headers["DACP-ID"])
            #expect(service.name == "iTunes_Ctrl_\(identifier)" && service.txt["DbId"] == identifier)
            #expect(headers["Active-Remote"].flatMap { UInt32($0) } ?? 0 > 0)
        }
        session.stop()
        await eventually("nothing is announced") { system.network.ownServices.isEmpty }
        await receiver.stop()
        withExtendedLifetime(file) {}
    }

    @Test func playsAndPauses() async throws {
        let receiver = try await FakeReceiver()
        let file = try WaveFile(seconds: 20)
        defer { withExtendedLifetime(file) {} }
        let session = try await play(file, on: try receiver.device())
        let buttons = try RemoteButtons.of(receiver, in: system)
        let control = try #require(session.control)
        #expect(try await buttons.press("pause") == 204)
        #expect(!control.isPlaying)
        await eventually("a flush") { receiver.now().count("FLUSH") == 1 }
        let silent = receiver.now().audio.count
        #expect(try await buttons.press("pause") == 204)
        #expect(try await buttons.press("playresume") == 204)
        #expect(control.isPlaying)
        await eventually("sound") { receiver.now().audio.count > silent + 20 }
        for isPlaying in [false, true] {
            #expect(try await buttons.press("playpause") == 204)
            #expect(control.isPlaying == isPlaying)
        }
        session.stop()
        await eventually("the end") { receiver.now().count("TEARDOWN") == 1 }
        await receiver.stop()
    }

    @Test func setsTheLevel() async throws {
        let receiver = try await FakeReceiver()
        let device = try receiver.device()
        let file = try WaveFile(seconds: 20)
        defer { withExtendedLifetime(file) {} }
        let session = try await play(file, on: device)
        let buttons = try RemoteButtons.of(receiver, in: system)
        #expect(system.volume(of: device).level == 0.5)
        for (command, level, sent) in [
            ("volumeup", Float(0.55), "volume: -13.500000\r\n"), ("volumedown", 0.5, "volume: -15.000000\r\n"),
            ("setproperty?dmcp.device-volume=-22.500000", 0.25, "volume: -22.500000\r\n"),
            ("setproperty?dmcp.device-volume=-144.0", 0, "volume: -144.000000\r\n"),
            ("setproperty?dmcp.volume=75.0", 0.75, "volume: -7.500000\r\n"),
        ] {
            let reports = system.reports.count
            #expect(try await buttons.press(command) == 204)
            await eventually("\(command)") { levels(receiver).last == sent }
            #expect(abs(Float(system.volume(of: device).level ?? -1) - level) < 0.001)
            let told = system.reports.dropFirst(reports).contains {
                if case .volumeChanged(device.id, _, false) = $0 { true } else { false }
            }
            #expect(told, "\(command) is told to the system")
        }
        #expect(try await buttons.press("mutetoggle") == 204)
        #expect(system.volume(of: device).isMuted)
        await eventually("silence") { levels(receiver).last == "volume: -144.000000\r\n" }
        #expect(try await buttons.press("mutetoggle") == 204)
        await eventually("sound again") { levels(receiver).last == "volume: -7.500000\r\n" }
        session.stop()
        await eventually("the end") { receiver.now().count("TEARDOWN") == 1 }
        await receiver.stop()
    }

    @Test func stops() async throws {
        let receiver = try await FakeReceiver()
        let file = try WaveFile(seconds: 20)
        defer { withExtendedLifetime(file) {} }
        let session = try await play(file, on: try receiver.device())
        let buttons = try RemoteButtons.of(receiver, in: system)
        #expect(try await buttons.press("stop") == 204)
        try await session.ended()
        #expect(receiver.now().count("TEARDOWN") == 1)
        await eventually("nobody listens") { (try? await buttons.press("play")) == nil }
        await receiver.stop()
    }

    @Test func othersDoNothing() async throws {
        let receiver = try await FakeReceiver()
        let file = try WaveFile(seconds: 20)
        defer { withExtendedLifetime(file) {} }
        let session = try await play(file, on: try receiver.device())
        let buttons = try RemoteButtons.of(receiver, in: system)
        var strangers = [buttons, buttons, buttons, buttons]
        strangers[0].token = nil
        strangers[1].token = "0"
        strangers[2].token = buttons.token.flatMap { UInt32($0) }.map { String($0 ^ 1) }
        strangers[3].address = "127.0.0.2"
        for stranger in strangers {
            for command in ["pause", "stop", "nonsense"] { #expect(try await stranger.press(command) == 403) }
        }
        for command in ["nextitem", "previtem", "beginff", "shuffle_songs", "setproperty?dacp.shufflestate=1"] {
            #expect(try await buttons.press(command) == 501)
        }
        #expect(try await buttons.press("getproperty?properties=dmcp.volume") == 400)
        #expect(try await buttons.press("nonsense") == 404)
        #expect(try await buttons.ask("GET /").hasPrefix("HTTP/1.1 404 "))
        #expect(try await buttons.ask("DELETE /ctrl-int/1/pause").hasPrefix("HTTP/1.1 404 "))
        #expect(session.control?.isPlaying == true && receiver.now().count("FLUSH") == 0 && levels(receiver).isEmpty)
        session.stop()
        await eventually("the end") { receiver.now().count("TEARDOWN") == 1 }
        await receiver.stop()
    }

    @Test func everyReceiverOfAGroupHasItsOwn() async throws {
        let (kitchen, bath) = (try await FakeReceiver(), try await FakeReceiver())
        let (first, second) = (try kitchen.device("Kitchen"), try bath.device("Bath"))
        let file = try WaveFile(seconds: 20)
        defer { withExtendedLifetime(file) {} }
        let session = try await play(file, on: first)
        let joining = system.activate(second, joining: session)
        try await joining.activated()
        await eventually("sound") { bath.now().audio.count > 60 }
        let buttons = (try RemoteButtons.of(kitchen, in: system), try RemoteButtons.of(bath, in: system))
        #expect(system.network.ownServices.count == 1, "both see this machine by one address")
        #expect(buttons.0.token != buttons.1.token)
        #expect(try await buttons.1.press("volumeup") == 204)
        await eventually("its level") { levels(bath) == ["volume: -13.500000\r\n"] }
        #expect(levels(kitchen).isEmpty)
        #expect(try await buttons.1.press("pause") == 204)
        await eventually("both pause") { kitchen.now().count("FLUSH") == 1 && bath.now().count("FLUSH") == 1 }
        joining.deactivate()
        await eventually("the end for one") { bath.now().count("TEARDOWN") == 1 }
        try await eventually("it may not any more") { try await buttons.1.press("play") == 403 }
        #expect(try await buttons.0.press("play") == 204)
        #expect(session.control?.isPlaying == true)
        session.stop()
        await eventually("the end") { kitchen.now().count("TEARDOWN") == 1 }
        await kitchen.stop()
        await bath.stop()
    }
}

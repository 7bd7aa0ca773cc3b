import Foundation
import MediaDeviceTesting
import TestConditions
import Testing

@testable import MPDExtension

/// The extension as the host calls it, against a real server.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Requirements.hasBoth, Comment(rawValue: Requirements.reason)))
@MainActor
struct MPDExtensionTests {
    private let system = TestSystem(
        MPDExtension(timeouts: MPDTimeouts(connecting: .seconds(2), greeting: .seconds(2), answer: .seconds(10))))

    private func device(_ port: Int) throws -> MediaOutputDevice {
        let number = try #require(NWEndpoint.Port(rawValue: UInt16(port)))
        return try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "Room", capabilities: .urlPlayback, deviceType: .hifiSpeaker,
                volumeControl: .absolute, canMute: false,
                requiredNetworkEndpoints: [.hostPort(host: NWEndpoint.Host("127.0.0.1"), port: number)]))
    }

    private func active(_ device: MediaOutputDevice) async throws -> TestSession<MPDExtension> {
        let session = system.activate(device)
        try await session.activated()
        return session
    }

    /// Returns the error of the session's activation.
    private func activationError(_ session: TestSession<MPDExtension>) async throws -> ReportedError {
        try await #require(throws: ReportedError.self) { try await session.activated() }
    }

    @Test func activatesPlaysAndLetsGo() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let media = try await MediaServer()
        let tone = try #require(URL(string: media.url("/tone.wav")))
        let device = try device(server.port)
        let session = try await active(device)
        await eventually("its level") { system.volume(of: device).level == 1 }
        try system.setVolume(0.3, for: device)
        #expect(abs((system.volume(of: device).level ?? 0) - 0.3) < 0.001, "a level just asked for counts as reached")

        session.start(tone)
        try await session.started()
        #expect(session.control?.isPlaying == true)
        #expect(try await server.mpc("volume").contains("30%"))

        session.stop()
        session.deactivate()
        try await eventually("a clean queue") { try await server.queue().isEmpty }
        #expect(try await !server.mpc("status").contains("[playing]"))
        let hasEnded = system.reports.contains { if case .sessionEnded(session.id, _) = $0 { true } else { false } }
        #expect(!hasEnded, "the system asked for it")

        session.start(tone)
        let error = try await #require(throws: ReportedError.self) { try await session.started() }
        #expect(error.code == "unreachable", "refused without activation")
        await media.stop()
    }

    @Test func asksForAPasswordOnceAndKeepsIt() async throws {
        let server = try await MPDServer(password: "sesame")
        defer { server.stop() }
        let device = try device(server.port)
        let cancelled = system.activate(device)
        let request = try await cancelled.pairingRequest()
        #expect(request.method == .password && request.reason == "Playing on “Room” takes a password.")
        cancelled.answer(nil)
        #expect(try await activationError(cancelled).message == "Pairing with “Room” was cancelled.")

        let wrong = system.activate(device)
        _ = try await wrong.pairingRequest()
        wrong.answer("wrong")
        let error = try await activationError(wrong)
        #expect(error.code == "authorization-failed" && error.message == "MPD says: Incorrect password.")
        #expect(system.credential(for: device) == nil)

        let right = system.activate(device)
        _ = try await right.pairingRequest()
        right.answer("sesame")
        try await right.activated()
        #expect(system.credential(for: device) == Data("sesame".utf8))
        right.deactivate()

        let later = TestSystem(MPDExtension())
        later.setCredential(Data("sesame".utf8), for: device)
        let session = later.activate(device)
        try await session.activated()
        session.deactivate()
    }

    @Test func asksAgainAtOnceWhenItWasForgotten() async throws {
        let server = try await MPDServer(password: "sesame")
        defer { server.stop() }
        let device = try device(server.port)
        system.setCredential(Data("sesame".utf8), for: device)
        let session = try await active(device)
        session.deactivate()
        system.forget(device)
        let next = system.activate(device)
        _ = try await next.pairingRequest()
        next.answer("sesame")
        try await next.activated()
        #expect(system.credential(for: device) == Data("sesame".utf8))
        next.deactivate()
    }

    @Test func asksAgainWhenTheStoredPasswordIsOld() async throws {
        let server = try await MPDServer(password: "sesame")
        defer { server.stop() }
        let device = try device(server.port)
        system.setCredential(Data("yesterday".utf8), for: device)
        let request = try await system.activate(device).pairingRequest()
        #expect(
            request.reason
                == "“Room” doesn't accept the stored password any longer. Playing on “Room” takes a password.")
        #expect(system.credential(for: device) == nil)
    }

    @Test func needsNoPasswordWhereTheServerLostIts() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let device = try device(server.port)
        system.setCredential(Data("yesterday".utf8), for: device)
        try await active(device).deactivate()
    }

    @Test func holdsADeviceAsLongAsOneSessionUsesIt() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let media = try await MediaServer()
        let device = try device(server.port)
        let first = try await active(device)
        let second = try await active(device)
        first.start(try #require(URL(string: media.url("/tone.wav"))))
        try await first.started()
        second.start(try #require(URL(string: media.url("/tone.wav?second"))))
        try await first.ended()
        await eventually("the second song") { second.control != nil }
        first.deactivate()
        try await eventually("only the second song") {
            try await server.queue() == [media.url("/tone.wav?second")]
        }
        #expect(try await server.mpc("status").contains("[playing]"))
        second.deactivate()
        try await eventually("a clean queue") { try await server.queue().isEmpty }
        await media.stop()
    }

    @Test func refusesAPasswordThatCanBeNone() async throws {
        let server = try await MPDServer(password: "sesame")
        defer { server.stop() }
        let session = system.activate(try device(server.port))
        _ = try await session.pairingRequest()
        session.answer("a\nclear")
        let error = try await activationError(session)
        #expect(error.message == "This can't be a password: it contains a line break.")
    }

    @Test func correctsTheVolumeControlOfAServerWithoutAMixer() async throws {
        let server = try await MPDServer(hasMixer: false)
        defer { server.stop() }
        let session = try await active(device(server.port))
        try await system.report("the device without a level") {
            if case .updated(let devices) = $0 { devices.map(\.volumeControl) == [.none] } else { false }
        }
        session.deactivate()
    }

    @Test func tellsWhyAServerCannotBeReached() async throws {
        let closed = try await ScriptedServer(.says([]))
        let device = try device(closed.port)
        await closed.stop()
        let error = try await activationError(system.activate(device))
        #expect(error.code == "unreachable")
        #expect(error.message == "The device can't be reached: Connection refused.")
    }

    @Test func reportsNothingForAnActivationThatWasGivenUp() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let device = try device(server.port)
        system.activate(device).deactivate()
        let second = try await active(device)
        let activations = system.reports.filter { if case .volumeChanged = $0 { false } else { true } }
        #expect(activations == [.activated(device: device.id, session: second.id)])
        second.deactivate()
    }

    @Test func tellsTheHostOfOtherPeoplesLevels() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let device = try device(server.port)
        let session = try await active(device)
        try await server.mpc("volume", "15")
        try await system.report("the level") {
            guard case .volumeChanged(device.id, let level?, false) = $0 else { return false }
            return abs(level - 0.15) < 0.001
        }
        session.deactivate()
    }

    @Test func runsNoApplications() async throws {
        let session = system.activate(try device(9))
        session.start(URL(filePath: "/"), application: "app")
        let error = try await #require(throws: ReportedError.self) { try await session.started() }
        #expect(error.code == "not-supported")
    }
}

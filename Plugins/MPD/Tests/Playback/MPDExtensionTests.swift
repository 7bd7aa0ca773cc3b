import Foundation
import MediaDevice
import Testing

@testable import MPDExtension

/// The extension as the host calls it, against a real server.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Requirements.hasBoth, Comment(rawValue: Requirements.reason)))
@MainActor
struct MPDExtensionTests {
    private let recorder = ReportRecorder()
    private let subject: MPDExtension

    init() {
        subject = MPDExtension(
            reports: recorder,
            timeouts: MPDTimeouts(connecting: .seconds(2), greeting: .seconds(2), answer: .seconds(10)))
    }

    private func device(_ port: Int) throws -> MediaOutputDevice {
        let number = try #require(NWEndpoint.Port(rawValue: UInt16(port)))
        return try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "Room", capabilities: .urlPlayback, deviceType: .hifiSpeaker,
                volumeControl: .absolute, canMute: false,
                requiredNetworkEndpoints: [.hostPort(host: NWEndpoint.Host("127.0.0.1"), port: number)]))
    }

    @Test func activatesPlaysAndLetsGo() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let media = try await MediaServer()
        let device = try device(server.port)
        let session = MediaOutputSession(id: "s")
        subject.activateDevice(device, session: session, for: .urlPlayback)
        #expect(await recorder.reports(atLeast: 1) == [.activated("s")])
        #expect(subject.volume(for: device) == 1)
        subject.setVolume(0.3, for: device)
        #expect(subject.volume(for: device) == 0.3)

        subject.startSession(session, identifier: nil, url: try #require(URL(string: media.url("/tone.wav"))))
        #expect(await recorder.reports(atLeast: 2) == [.activated("s"), .started("s")])
        let control = try #require(recorder.controls["s"])
        #expect(control.isPlaying)
        #expect(try await server.mpc("volume").contains("30%"))

        subject.stopSession(session)
        subject.deactivateDevice(device, session: session)
        try await eventually("a clean queue") { try await server.queue().isEmpty }
        #expect(try await !server.mpc("status").contains("[playing]"))
        #expect(recorder.reports == [.activated("s"), .started("s")])

        subject.startSession(session, identifier: nil, url: try #require(URL(string: media.url("/tone.wav"))))
        await eventually("refused without activation") { recorder.reports.last == .failed(.connectionFailed, nil) }
        await media.stop()
    }

    @Test func asksForAPasswordOnceAndKeepsIt() async throws {
        let server = try await MPDServer(password: "sesame")
        defer { server.stop() }
        let device = try device(server.port)
        let session = MediaOutputSession(id: "s")
        let asked = ReportRecorder.Report.pairingRequested("Playing on “Room” takes a password.", "s")
        let wrong = ReportRecorder.Report.activationFailed(.authorizationFailed, "MPD says: Incorrect password.")

        subject.activateDevice(device, session: session, for: .urlPlayback)
        #expect(await recorder.reports(atLeast: 1) == [asked])
        subject.connectUsingPairingCode(nil, to: device, session: session)
        #expect(
            await recorder.reports(atLeast: 2).last == .activationFailed(.authorizationFailed, "No password was given.")
        )

        subject.activateDevice(device, session: session, for: .urlPlayback)
        #expect(await recorder.reports(atLeast: 3).last == asked)
        subject.connectUsingPairingCode("wrong", to: device, session: session)
        #expect(await recorder.reports(atLeast: 4).last == wrong)
        #expect(recorder.credentials.isEmpty)

        subject.activateDevice(device, session: session, for: .urlPlayback)
        #expect(await recorder.reports(atLeast: 5).last == asked)
        subject.connectUsingPairingCode("sesame", to: device, session: session)
        #expect(await recorder.reports(atLeast: 6).last == .activated("s"))
        #expect(recorder.credentials[device.id] == Data("sesame".utf8))
        subject.deactivateDevice(device, session: session)

        let later = MPDExtension(reports: recorder, timeouts: MPDTimeouts())
        later.activateDevice(device, session: session, for: .urlPlayback)
        #expect(await recorder.reports(atLeast: 7).last == .activated("s"))
        later.deactivateDevice(device, session: session)
    }

    @Test func asksAgainWhenTheStoredPasswordIsOld() async throws {
        let server = try await MPDServer(password: "sesame")
        defer { server.stop() }
        let device = try device(server.port)
        recorder.credentials[device.id] = Data("yesterday".utf8)
        subject.activateDevice(device, session: MediaOutputSession(id: "s"), for: .urlPlayback)
        let reason = "“Room” does not accept the stored password any more."
        #expect(await recorder.reports(atLeast: 1) == [.pairingRequested(reason, "s")])
        #expect(recorder.credentials[device.id] == nil)
    }

    @Test func needsNoPasswordWhereTheServerLostIts() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let device = try device(server.port)
        recorder.credentials[device.id] = Data("yesterday".utf8)
        subject.activateDevice(device, session: MediaOutputSession(id: "s"), for: .urlPlayback)
        #expect(await recorder.reports(atLeast: 1) == [.activated("s")])
        subject.deactivateDevice(device, session: MediaOutputSession(id: "s"))
    }

    @Test func holdsADeviceAsLongAsOneSessionUsesIt() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let media = try await MediaServer()
        let device = try device(server.port)
        let (first, second) = (MediaOutputSession(id: "first"), MediaOutputSession(id: "second"))
        subject.activateDevice(device, session: first, for: .urlPlayback)
        _ = await recorder.reports(atLeast: 1)
        subject.activateDevice(device, session: second, for: .urlPlayback)
        #expect(await recorder.reports(atLeast: 2) == [.activated("first"), .activated("second")])
        subject.startSession(first, identifier: nil, url: try #require(URL(string: media.url("/tone.wav"))))
        #expect(await recorder.reports(atLeast: 3).last == .started("first"))
        subject.startSession(second, identifier: nil, url: try #require(URL(string: media.url("/tone.wav?second"))))
        #expect(Set(await recorder.reports(atLeast: 5).suffix(2)) == [.ended("first"), .started("second")])
        subject.deactivateDevice(device, session: first)
        try await eventually("only the second song") {
            try await server.queue() == [media.url("/tone.wav?second")]
        }
        #expect(try await server.mpc("status").contains("[playing]"))
        subject.deactivateDevice(device, session: second)
        try await eventually("a clean queue") { try await server.queue().isEmpty }
        await media.stop()
    }

    @Test func refusesAPasswordThatCanBeNone() async throws {
        let server = try await MPDServer(password: "sesame")
        defer { server.stop() }
        subject.connectUsingPairingCode("a\nclear", to: try device(server.port), session: MediaOutputSession(id: "s"))
        let reason = "This can be no password: it contains a line break."
        #expect(await recorder.reports(atLeast: 1) == [.activationFailed(.authorizationFailed, reason)])
    }

    @Test func correctsTheVolumeControlOfAServerWithoutAMixer() async throws {
        let server = try await MPDServer(hasMixer: false)
        defer { server.stop() }
        let device = try device(server.port)
        let session = MediaOutputSession(id: "s")
        subject.activateDevice(device, session: session, for: .urlPlayback)
        #expect(await recorder.reports(atLeast: 2) == [.activated("s"), .updated(.none)])
        subject.deactivateDevice(device, session: session)
    }

    @Test func tellsWhyAServerCannotBeReached() async throws {
        let closed = try await ScriptedServer(.says([]))
        let device = try device(closed.address.port)
        await closed.stop()
        subject.activateDevice(device, session: MediaOutputSession(id: "s"), for: .urlPlayback)
        let reason = "The MPD server cannot be reached: Connection refused."
        #expect(await recorder.reports(atLeast: 1) == [.activationFailed(.connectionFailed, reason)])
    }

    @Test func reportsNothingForAnActivationThatWasGivenUp() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let device = try device(server.port)
        let first = MediaOutputSession(id: "first")
        subject.activateDevice(device, session: first, for: .urlPlayback)
        subject.deactivateDevice(device, session: first)
        let second = MediaOutputSession(id: "second")
        subject.activateDevice(device, session: second, for: .urlPlayback)
        #expect(await recorder.reports(atLeast: 1) == [.activated("second")])
        subject.deactivateDevice(device, session: second)
    }

    @Test func tellsTheHostOfOtherPeoplesLevels() async throws {
        let server = try await MPDServer()
        defer { server.stop() }
        let device = try device(server.port)
        let session = MediaOutputSession(id: "s")
        subject.activateDevice(device, session: session, for: .urlPlayback)
        _ = await recorder.reports(atLeast: 1)
        try await server.mpc("volume", "15")
        #expect(await recorder.reports(atLeast: 2) == [.activated("s"), .volumeChanged])
        #expect(subject.volume(for: device) == 0.15)
        subject.deactivateDevice(device, session: session)
    }

    @Test func runsNoApplications() {
        subject.startSession(MediaOutputSession(id: "s"), identifier: "app", url: URL(filePath: "/"))
        #expect(recorder.reports == [.failed(.sessionFailed, .notSupported)])
    }
}

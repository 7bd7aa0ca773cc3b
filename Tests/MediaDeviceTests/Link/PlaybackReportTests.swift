import DBus
import Foundation
import HostInterface
import MediaDevice
import Testing

@MainActor
@Suite("Playback over the link", .timeLimit(.minutes(1)))
struct PlaybackReportTests {
    private func started(_ control: SampleControl) async throws -> (LinkedExtension, MediaOutputSession) {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        try await link.startSession()
        let session = try #require(link.extension.sessions.last)
        link.manager.started(application: nil, playbackControl: control, session: session)
        let call = try await link.next()
        #expect(call.member == "Started")
        #expect(Array(call.arguments.prefix(2)) == [.string("s1"), .string("")])
        #expect(try call.decode(PlaybackState.self, at: 2).title == "A film")
        return (link, session)
    }

    private func command(_ link: LinkedExtension, _ command: PlaybackCommand) async throws {
        try await link.host.call(
            "PlaybackCommand", [.string("s1"), try DBusDictionaryEncoder().encode(command)])
    }

    @Test("changes of one turn are one message")
    func changes() async throws {
        let control = SampleControl()
        let (link, _) = try await started(control)
        control.isPlaying = true
        control.volume = 0.25
        control.playbackPosition = SampleControl.position(3, at: 2000, rate: 1)
        let call = try await link.next()
        #expect(call.member == "PlaybackChanged")
        let state = try call.decode(PlaybackState.self, at: 1)
        #expect(state.isPlaying && state.volume == 0.25)
        #expect(state.position == .init(value: 3, hostTime: 2000, rate: 1))
        control.isMuted = true
        #expect(try await link.next().decode(PlaybackState.self, at: 1).isMuted)
    }

    @Test("commands reach the control object, and their effect comes back")
    func commands() async throws {
        let control = SampleControl()
        let (link, _) = try await started(control)
        try await command(link, PlaybackCommand(.setPlaying, flag: true))
        #expect(control.isPlaying)
        #expect(try await link.next().decode(PlaybackState.self, at: 1).isPlaying)
        try await command(link, PlaybackCommand(.seek, number: 42, tolerance: .infinity))
        #expect(control.seeks == [.init(position: 42, tolerance: .positiveInfinity)])
        #expect(try await link.next().decode(PlaybackState.self, at: 1).position.value == 42)
        let error = await #expect(throws: DBusError.self) {
            try await command(link, PlaybackCommand(.selectAudio, identifier: "fr"))
        }
        #expect(error.map(HostError.init)?.code == .invalidArgument)
    }

    @Test("a second start replaces the control object without a second Started")
    func startedTwice() async throws {
        let first = SampleControl()
        let (link, session) = try await started(first)
        link.manager.started(application: nil, playbackControl: first, session: session)
        let second = SampleControl()
        second.metadata.title = "Another film"
        link.manager.started(application: nil, playbackControl: second, session: session)
        let call = try await link.next()
        #expect(call.member == "PlaybackChanged")
        #expect(try call.decode(PlaybackState.self, at: 1).title == "Another film")
        first.volume = 0.9
        try await command(link, PlaybackCommand(.setVolume, number: 0.125))
        #expect(second.volume == 0.125 && first.volume == 0.9)
        #expect(try await link.next().decode(PlaybackState.self, at: 1).volume == 0.125)
    }

    @Test("after a stop nothing of the session is reported, and commands are refused")
    func stopped() async throws {
        let control = SampleControl()
        let (link, session) = try await started(control)
        try await link.host.call("StopSession", [.string("s1")])
        control.volume = 0.9
        link.manager.sessionEnded(session)
        link.manager.sessionFailed(session, error: MediaDeviceError(.sessionFailed))
        link.manager.started(application: nil, playbackControl: control, session: session)
        await #expect(throws: DBusError.self) { try await command(link, PlaybackCommand(.setPlaying, flag: true)) }
        link.manager.lostDevice(.sample())
        #expect(try await link.next().member == "LostDevice")
    }

    @Test("a session ends by itself, or fails with the device's words, once")
    func ended() async throws {
        let (link, session) = try await started(SampleControl())
        link.manager.sessionEnded(session, ending: .finished)
        link.manager.sessionEnded(session)
        #expect(
            try await link.next() == .init(member: "SessionEnded", arguments: [.string("s1"), .string("finished")]))

        try await link.startSession("s2")
        link.manager.sessionFailed(
            try #require(link.extension.sessions.last),
            error: MediaDeviceError(.sessionFailed, detail: .unsupportedFormat, reason: "No Theora."))
        #expect(
            try await link.next()
                == .init(
                    member: "SessionFailed",
                    arguments: [.string("s2"), .string("unsupported-format"), .string("No Theora.")]))
        #expect(link.manager.sessions.session("s2") == nil)
    }

    @Test("a thousand sessions leave nothing behind")
    func noGrowth() async throws {
        let link = try await LinkedExtension.greeted()
        for number in 0..<1000 {
            try await link.startSession("n\(number)")
            link.manager.started(
                application: nil, playbackControl: SampleControl(), session: try #require(link.extension.sessions.last))
            try await link.host.call("StopSession", [.string("n\(number)")])
        }
        #expect(link.manager.sessions.count == 0)
    }
}

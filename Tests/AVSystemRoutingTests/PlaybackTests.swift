import DBus
import Foundation
import HostInterface
import Observation
import ScriptedDaemon
import Testing

@testable import AVSystemRouting

@MainActor
@Suite("The control object", .timeLimit(.minutes(1)))
struct PlaybackTests {
    @Test("the device's state is mirrored, and changes are observed")
    func mirror() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started()
        let control = try #require(session.playbackControl)
        await becomes { control.isPlaying && control.metadata.title == "Film" }
        #expect(control.timeRange.duration.seconds == 100 && control.volume == 0.5 && control.error == nil)

        var state = PlaybackState.sample
        state.isPlaying = false
        state.position = .init(value: 42, hostTime: 7, rate: 0)
        state.error = HostError(.unreachable, "The cable is out.")
        try await link.daemon.update(session: "1", state)
        await becomes { !control.isPlaying && control.error != nil }
        #expect(control.playbackPosition.position.seconds == 42 && control.currentPlaybackPosition.seconds == 42)
        #expect(control.error?.localizedDescription == "The cable is out.")
        await link.daemon.close()
    }

    @Test("the control object is one of the earlier spelling as well")
    func earlierSpelling() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started()
        let shown = try #require(session.playbackControl)
        await becomes { shown.isReady }
        var control: any AVInterfaceControllable = shown
        #expect(control.metadata == AVInterfaceMetadata(mediaMode: control.metadata.mediaMode, title: "Film"))
        #expect(control.playbackError == nil && control.currentPlaybackPosition == shown.currentPlaybackPosition)
        #expect(control.audioOptions.map(\.identifier) == shown.audioOptions.map(\.identifier))
        #expect(control.segments.count == shown.segments.count)
        control.isPlaying = false
        control.currentPlaybackPosition = CMTime(value: 40, timescale: 1)
        let expected = [
            PlaybackCommand(.setPlaying, flag: false), PlaybackCommand(.seek, number: 40, tolerance: 0),
        ]
        for (index, command) in expected.enumerated() {
            let call = try await link.daemon.log.call("Command", index + 1)
            #expect(try DBusDictionaryDecoder().decode(PlaybackCommand.self, from: call.arguments[0]) == command)
        }
        await link.daemon.close()
    }

    @Test("writes in both spellings are commands, in the order they were made")
    func commands() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started()
        let control = try #require(session.playbackControl)
        await becomes { control.isReady }
        control.isPlaying = false
        control.seek(to: CMTime(value: 30, timescale: 1), tolerance: .positiveInfinity)
        control.currentPlaybackPosition = CMTime(value: 40, timescale: 1)
        control.volume = 0.25
        control.isMuted = true
        control.playbackSpeed = 1.5
        let expected = [
            PlaybackCommand(.setPlaying, flag: false), PlaybackCommand(.seek, number: 30, tolerance: .infinity),
            PlaybackCommand(.seek, number: 40, tolerance: 0), PlaybackCommand(.setVolume, number: 0.25),
            PlaybackCommand(.setMuted, flag: true), PlaybackCommand(.setPlaybackSpeed, number: 1.5),
        ]
        for (index, command) in expected.enumerated() {
            let call = try await link.daemon.log.call("Command", index + 1)
            #expect(call.path == Link.sessionPath)
            #expect(try DBusDictionaryDecoder().decode(PlaybackCommand.self, from: call.arguments[0]) == command)
        }
        await link.daemon.close()
    }

    @Test("a command that failed takes its write back")
    func failedCommand() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started()
        let control = try #require(session.playbackControl)
        await becomes { control.isPlaying }
        await link.daemon.answer("Command") { _ in throw HostError(.deviceRefused, "No.").asDBusError }
        control.isPlaying = false
        #expect(!control.isPlaying, "shown at once")
        await becomes { control.isPlaying }
        await link.daemon.close()
    }

    @Test("a session that ended on the device stands still, and tells why it failed", arguments: [true, false])
    func ended(_ hasFailed: Bool) async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started()
        let control = try #require(session.playbackControl)
        await becomes { control.isPlaying }
        if hasFailed {
            await link.daemon.update(
                path: Link.sessionPath, interface: HostNames.sessionInterface,
                [
                    "State": .string("failed"),
                    "Error": .structure([.string("unreachable"), .string("The device is gone.")]),
                ])
        }
        await link.daemon.remove(Link.sessionPath)
        await becomes { !control.isPlaying }
        #expect(control.playbackPosition.rate == 0)
        #expect(control.error?.localizedDescription == (hasFailed ? "The device is gone." : nil))
        await link.daemon.close()
    }

    @Test("a session that ended before its start returned does not pretend to play")
    func endedAtOnce() async throws {
        let link = try await Link()
        let route = try await link.route()
        let daemon = link.daemon
        await daemon.answer("Play") { _ in
            try await daemon.addSession("1", device: Link.deviceID, .sample)
            await daemon.update(
                path: Link.sessionPath, interface: HostNames.sessionInterface,
                ["Error": .structure([.string("session-failed"), .string("It broke.")])])
            await daemon.remove(Link.sessionPath)
            return [.objectPath(Link.sessionPath)]
        }
        let session = AVSystemRouteSession(url: .sample, mode: .player)
        #expect(route.addSession(session))
        let control = try #require(try await session.start().playbackControl)
        await becomes { control.error != nil }
        #expect(!control.isPlaying && control.error?.localizedDescription == "It broke.")
        await daemon.close()
    }

    @Test("a daemon that goes away for good ends what plays, with an error")
    func daemonGoesAway() async throws {
        let link = try await Link(retryDelays: [.zero, .zero])
        let (_, _, session) = try await link.started()
        let control = try #require(session.playbackControl)
        await becomes { control.isPlaying }
        await link.daemon.close()
        await becomes { control.error != nil }
        #expect(!control.isPlaying)
    }

    @Test("what plays is the same object with the next daemon, which obeys it")
    func nextDaemon() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started()
        let control = try #require(session.playbackControl)
        let next = try await ScriptedDaemon()
        try await next.addDevice(Link.deviceID, name: "Living Room")
        var state = PlaybackState.sample
        state.title = "Film, still"
        try await next.addSession("1", device: Link.deviceID, state)
        link.move(to: next)
        await link.daemon.close()
        await becomes { control.metadata.title == "Film, still" }
        #expect(control.isPlaying && control.error == nil)
        #expect(session.playbackControl === control)
        control.isPlaying = false
        #expect(try await next.log.call("Command").path == Link.sessionPath)
        await next.close()
    }

    @Test("what the next daemon does not know has ended")
    func nextDaemonWithoutIt() async throws {
        let link = try await Link()
        let (_, _, session) = try await link.started()
        let control = try #require(session.playbackControl)
        let next = try await ScriptedDaemon()
        link.move(to: next)
        await link.daemon.close()
        await becomes { control.error != nil }
        #expect(!control.isPlaying)
        await next.close()
    }
}

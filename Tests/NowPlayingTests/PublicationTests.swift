import DBus
import Foundation
import HostInterface
import ManualTime
import ScriptedDaemon
import Testing

@testable import NowPlaying

@MainActor
@Suite("Publishing", .timeLimit(.minutes(1)))
struct PublicationTests {
    @Test("a session registers what the model shows")
    func registers() async throws {
        let link = try await Link()
        let session = link.session(Model())
        let state = try await link.published("RegisterSession")
        #expect(session.id == "model")
        #expect(state.content?.title == "Song" && state.content?.subtitle == "Artist")
        #expect(state.content?.collection == nil, "an empty name is none")
        #expect(state.content?.duration == 60 && state.content?.extent == .finite)
        #expect(state.playback?.state == .paused && state.playback?.position?.value == 5)
        let call = try await link.daemon.log.call("RegisterSession")
        let declaration = call.arguments[1].asDictionary
        #expect(declaration?["identifier"] == .string("com.example.player"))
        #expect(declaration?["name"] == .string("Player"))
        #expect(session.canBecomeApplicationPrimary)
        await link.daemon.close()
    }

    @Test("several changes in one turn go out once")
    func coalesces() async throws {
        let link = try await Link()
        let model = Model()
        let session = link.session(model)
        _ = try await link.published("RegisterSession")
        model.title = "First"
        model.album = "Album"
        model.snapshot = MediaPlaybackSnapshot(state: .playing(), elapsedTime: 1)
        model.title = "Second"
        let state = try await link.published("Update")
        #expect(state.content?.title == "Second" && state.content?.collection == "Album")
        #expect(state.playback?.state == .playing)
        model.title = "Third"
        #expect(try await link.published("Update", 2).content?.title == "Third")
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("changes of a frame are gathered, and the last state is what arrives")
    func paces() async throws {
        let link = try await Link()
        let clock = ManualClock()
        let model = Model()
        let session = link.session(model, clock: clock)
        _ = try await link.published("RegisterSession")
        await clock.slept(times: 1)
        for number in 1...50 {
            model.title = "Title \(number)"
            await Task.yield()
        }
        #expect(await link.count("Update") == 0, "the frame has not passed")
        clock.advance(by: SessionPublication.frame)
        #expect(try await link.published("Update").content?.title == "Title 50")
        #expect(await link.count("Update") == 1)
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("what is not shown, and time that passes, are no change")
    func staysQuiet() async throws {
        let link = try await Link()
        let model = Model()
        let start = Date()
        model.snapshot = MediaPlaybackSnapshot(state: .playing(), elapsedTime: 10, timestamp: start)
        let session = link.session(model)
        _ = try await link.published("RegisterSession")
        model.unrelated = 1
        // The same line of time, seen two seconds later.
        model.snapshot = MediaPlaybackSnapshot(
            state: .playing(), elapsedTime: 12, timestamp: start.addingTimeInterval(2))
        model.title = "Marker"
        #expect(try await link.published("Update").content?.title == "Marker")
        #expect(await link.count("Update") == 1)
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("nothing is registered before there is something to show, nor kept afterwards")
    func needsContent() async throws {
        let link = try await Link()
        let model = Model()
        model.title = nil
        var session: MediaSession? = link.session(model)
        #expect(session?.canBecomeApplicationPrimary == false)
        await #expect(throws: MediaSessionError.invalidState) {
            try await session?.requestToBecomeApplicationPrimary()
        }
        #expect(await link.count("RegisterSession") == 0)
        model.title = "Song"
        _ = try await link.published("RegisterSession")
        await becomes { session?.canBecomeApplicationPrimary == true }
        try await session?.requestToBecomeApplicationPrimary()
        session = nil
        _ = try await link.daemon.log.call("Withdraw")
        await link.daemon.close()
    }

    @Test("the next daemon is told everything")
    func survives() async throws {
        let link = try await Link()
        let model = Model()
        let session = link.session(model)
        _ = try await link.published("RegisterSession")
        _ = try await link.daemon.callHandler("SetRoles", [.boolean(true), .boolean(true)])
        #expect(session.isSystemPrimary)
        let next = try await ScriptedDaemon()
        link.move(to: next)
        await link.daemon.close()
        await becomes { !session.isSystemPrimary }
        _ = try await next.log.call("RegisterSession")
        model.title = "Later"
        _ = try await next.log.call("Update")
        await next.close()
    }

    @Test("roles are those the daemon tells, and requests reach it")
    func roles() async throws {
        let link = try await Link()
        let session = link.session(Model())
        _ = try await link.published("RegisterSession")
        try await session.requestToBecomeApplicationPrimary()
        try await session.requestToBecomeSystemPrimary()
        _ = try await link.daemon.log.call("RequestApplicationPrimary")
        _ = try await link.daemon.log.call("RequestSystemPrimary")
        #expect(!session.isApplicationPrimary && !session.isSystemPrimary)
        _ = try await link.daemon.callHandler("SetRoles", [.boolean(true), .boolean(false)])
        #expect(session.isApplicationPrimary && !session.isSystemPrimary)
        _ = try await link.daemon.callHandler("SetRoles", [.boolean(false), .boolean(false)])
        #expect(!session.isApplicationPrimary)
        await link.daemon.close()
    }

    @Test("a claim of the app is made by its session, once there is one, or is taken back")
    func claim() async throws {
        let link = try await Link()
        await link.service.setClaim(true)
        await link.service.setClaim(false)
        let first = Model()
        first.title = nil
        let session = link.session(first)
        await link.service.setClaim(true)
        #expect(await link.count("RegisterSession") == 0)
        first.title = "Song"
        _ = try await link.daemon.log.call("RequestSystemPrimary")
        first.title = "Another"
        _ = try await link.published("Update")
        await link.service.setClaim(true)
        _ = try await link.daemon.log.call("RequestSystemPrimary", 2)
        #expect(await link.count("RequestSystemPrimary") == 2)
        withExtendedLifetime(session) {}
        await link.daemon.close()
    }

    @Test("without a daemon a request fails, and says so")
    func noDaemon() async throws {
        let link = try await Link()
        await link.daemon.close()
        let session = link.session(Model())
        await becomes { session.canBecomeApplicationPrimary }
        await #expect(throws: MediaSessionError.internalFailure) {
            try await session.requestToBecomeApplicationPrimary()
        }
    }

    @Test("a daemon that comes later gets what was to be published")
    func lateDaemon() async throws {
        let link = try await Link()
        await link.daemon.close()
        let model = Model()
        let session = link.session(model)
        await becomes { session.canBecomeApplicationPrimary }
        await #expect(throws: MediaSessionError.internalFailure) {
            try await session.requestToBecomeApplicationPrimary()
        }
        let next = try await ScriptedDaemon()
        link.move(to: next)
        _ = try await next.log.call("RegisterSession")
        withExtendedLifetime(session) {}
        await next.close()
    }
}

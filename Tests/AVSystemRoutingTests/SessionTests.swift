import DBus
import Foundation
import HostInterface
import ScriptedDaemon
import Testing
import TypeIdentifiers

@testable import AVSystemRouting

@MainActor
@Suite("Sessions on a route", .timeLimit(.minutes(1)))
struct SessionTests {
    private func start(
        _ mode: AVSystemRoute.LaunchMode, _ information: ProgramInformation = .sample,
        retryDelays: [Duration] = RoutingService.usualDelays, _ prepare: (ScriptedDaemon) async -> Void = { _ in }
    ) async throws -> (Link, Result<AVSystemRouteMediaSession, any Error>) {
        let link = try await Link(information, retryDelays: retryDelays)
        let route = try await link.route()
        await prepare(link.daemon)
        let session = AVSystemRouteSession(url: .sample, mode: mode)
        #expect(route.addSession(session))
        do {
            return (link, .success(try await session.start()))
        } catch {
            return (link, .failure(error))
        }
    }

    @Test("a player gets the address and no application; there is no channel")
    func player() async throws {
        let (link, result) = try await start(.player)
        let session = try result.get()
        #expect(session.playbackControl != nil && session.dataChannel == nil)
        let call = try await link.daemon.log.call("Play")
        #expect(call.path == Link.devicePath)
        #expect(call.arguments[0].asString == URL.sample.absoluteString)
        #expect(call.arguments[1].asDictionary?["application"] == nil)
        await link.daemon.close()
    }

    @Test("an application is the one the property list names for the protocol")
    func application() async throws {
        let (link, result) = try await start(.application)
        #expect(try result.get().dataChannel != nil)
        let call = try await link.daemon.log.call("Play")
        let options = try #require(call.arguments[1].asDictionary)
        #expect(options["application"] == .string("com.example.remote"))
        // The counterpart uses this protocol, even if the device also supports others.
        #expect(options["via"]?.asString == Link.description("tv")["protocol"]?.asString)
        await link.daemon.close()
    }

    @Test("what the property list does not declare fails and asks the device for nothing")
    func undeclared() async throws {
        var withoutPlayback = ProgramInformation.sample
        withoutPlayback.supportsUniversalURLPlayback = false
        var withoutProtocol = ProgramInformation.sample
        withoutProtocol.supportedProtocols = ["com.example.other": ""]
        for (information, mode, key) in [
            (withoutPlayback, AVSystemRoute.LaunchMode.player, "MDESupportsUniversalURLPlayback"),
            (withoutProtocol, .application, "MDESupportedProtocols"),
        ] {
            let (link, result) = try await start(mode, information)
            let error = try #require(throws: AVSystemRoutingError.self) { try result.get() }
            #expect(error.hostCode == "not-supported" && error.localizedDescription.contains(key))
            #expect(await link.daemon.log.calls.allSatisfy { $0.member != "Play" })
            await link.daemon.close()
        }
    }

    @Test("the device's own sentence reaches the person, with what to do next")
    func refused() async throws {
        let (link, result) = try await start(.player) { daemon in
            await daemon.answer("Play") { _ in
                throw HostError(.deviceInUse, "Somebody in the kitchen uses it.").asDBusError
            }
        }
        let error = try #require(throws: AVSystemRoutingError.self) { try result.get() }
        #expect(error.code == .connectionFailed && error.hostCode == "device-in-use")
        #expect(error.localizedDescription == "Somebody in the kitchen uses it.")
        #expect(error.failureReason == "Somebody in the kitchen uses it.")
        #expect(error.recoverySuggestion == HostError(.deviceInUse, "").remedy)
        await link.daemon.close()
    }

    @Test("a daemon that goes away while a session starts fails the start")
    func daemonLeaves() async throws {
        let (_, result) = try await start(.player, retryDelays: [.zero]) { daemon in
            await daemon.answer("Play") { _ in
                await daemon.close()
                return []
            }
        }
        let error = try #require(throws: AVSystemRoutingError.self) { try result.get() }
        #expect(error.hostCode == "host-unavailable" && error.localizedDescription.contains("try again"))
    }

    @Test("a session is used once, on one route, and starts only there")
    func singleUse() async throws {
        let link = try await Link()
        let (route, session, _) = try await link.started()
        #expect(!route.addSession(session), "it is there already")
        await #expect(throws: AVSystemRoutingError.self) { try await session.start() }
        session.stop()
        #expect(try await link.daemon.log.call("Stop").path == Link.sessionPath)
        session.stop()
        #expect(!route.addSession(session), "it was stopped")
        await #expect(throws: AVSystemRoutingError.self) { try await session.start() }

        let unrouted = AVSystemRouteSession(url: .sample, mode: .player)
        await #expect(throws: AVSystemRoutingError.self) { try await unrouted.start() }
        let stopped = AVSystemRouteSession(url: .sample, mode: .player)
        stopped.stop()
        #expect(!route.addSession(stopped))
        #expect(await link.daemon.log.calls.count { $0.member == "Play" } == 1)
        #expect(await link.daemon.log.calls.count { $0.member == "Stop" } == 1)
        await link.daemon.close()
    }

    @Test("removing a session stops it; a session of another route stays")
    func removal() async throws {
        let link = try await Link()
        let (route, session, _) = try await link.started()
        let other = AVSystemRoute(
            path: "/org/mdhost/devices/other", name: "Other", type: "tv", protocolType: route.protocolType,
            service: route.service)
        #expect(!other.addSession(AVSystemRouteSession(url: .sample, mode: .player)), "nobody picked it")
        other.isActive = true
        #expect(!other.addSession(session))
        other.removeSession(session)
        #expect(await link.daemon.log.calls.allSatisfy { $0.member != "Stop" })
        route.removeSession(session)
        #expect(try await link.daemon.log.call("Stop").path == Link.sessionPath)
        await link.daemon.close()
    }

    @Test("a session stopped while it starts is stopped on the device as well")
    func stoppedWhileStarting() async throws {
        let link = try await Link()
        let route = try await link.route()
        let session = AVSystemRouteSession(url: .sample, mode: .player)
        #expect(route.addSession(session))
        await link.daemon.answer("Play") { _ in
            session.stop()
            return [.objectPath(Link.sessionPath)]
        }
        try await link.daemon.addSession("1", device: Link.deviceID)
        await #expect(throws: AVSystemRoutingError.self) { try await session.start() }
        #expect(try await link.daemon.log.call("Stop").path == Link.sessionPath)
        await link.daemon.close()
    }

    @Test("a start that the daemon's end interrupts is repeated to the next one, by the same name")
    func daemonEndsWhileItStarts() async throws {
        let link = try await Link()
        let route = try await link.route()
        let next = try await ScriptedDaemon()
        try await next.addDevice(Link.deviceID, name: "Living Room")
        await next.answer("Play") { _ in
            try await next.addSession("7", device: Link.deviceID, .sample)
            return [.objectPath(HostNames.sessionPath("7"))]
        }
        let daemon = link.daemon
        await daemon.answer("Play") { _ in
            link.move(to: next)
            await daemon.close()
            return []
        }
        let session = AVSystemRouteSession(url: .sample, mode: .player)
        #expect(route.addSession(session))
        let control = try #require(try await session.start().playbackControl)
        await becomes { control.isPlaying }
        let calls = [try await daemon.log.call("Play"), try await next.log.call("Play")]
        let requests = calls.map { $0.arguments[1].asDictionary?["request"]?.asString }
        #expect(requests[0]?.isEmpty == false && requests[0] == requests[1])
        session.stop()
        #expect(try await next.log.call("Stop").path == HostNames.sessionPath("7"))
        await next.close()
    }

    @Test("a session is refused at once where another app plays, and the reason is told")
    func anotherAppPlays() async throws {
        let link = try await Link()
        let route = try await link.route()
        func occupy(_ identifier: String, _ name: String) async {
            await link.daemon.update(
                path: Link.devicePath, interface: HostNames.deviceInterface,
                ["PlayingApplication": .structure([.string(identifier), .string(name)])])
        }
        func isAdded() -> Bool { route.addSession(AVSystemRouteSession(url: .sample, mode: .player)) }
        await occupy("com.example.radio", "Radio App")
        while isAdded() { await Task.yield() }
        let report = try await link.daemon.log.call("ReportProblem")
        #expect(report.arguments[0].asString == Link.devicePath)
        #expect(report.arguments[1].asString == "a session was not added: Radio App plays on Living Room.")
        await occupy("com.example.app", "App")
        while !isAdded() { await Task.yield() }
        await link.daemon.close()
    }
}

import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// Groups of devices: joining, leaving, leading.
@Suite(.timeLimit(.minutes(1)))
struct GroupTests {
    private let home = GroupWorld()
    private let living = GroupWorld.living
    private let kitchen = GroupWorld.kitchen
    private let bath = GroupWorld.bath

    private func failure(_ body: () async throws -> Void) async -> HostError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? HostError)?.code
        }
    }

    @Test func aDeviceJoinsTheSessionOfAnotherAndLeavesIt() async throws {
        await home.discover()
        let session = try await home.play()
        try await home.host.join(kitchen, living, prompt: nil)
        #expect(home.activations(of: kitchen) == home.activations(of: living), "one session of the link")
        #expect(home.starts == 1, "nothing is started anew")
        for id in [living, kitchen] {
            #expect(await home.group(of: id) == [living, kitchen])
            #expect(await home.known(id)?.activation == .active)
        }
        #expect(try await home.host.session(session).members == [living, kitchen])
        #expect(home.world.store.sessions.withLock { $0 }.first?.others?.map(\.id) == [kitchen])
        // Repeating it is no error, and neither is naming the other device.
        try await home.host.join(kitchen, living, prompt: nil)
        try await home.host.join(living, kitchen, prompt: nil)
        #expect(home.activations(of: kitchen).count == 1)

        try await home.host.leave(kitchen)
        #expect(home.deactivated == [kitchen] && home.stops == 0)
        #expect(await home.group(of: living) == [])
        #expect(await home.group(of: kitchen) == [])
        #expect(await home.known(kitchen)?.activation == .idle)
        #expect(try await home.host.session(session).members == [living])
        #expect(!home.runner.reasons.contains("route:" + kitchen))
        #expect(await failure { try await home.host.leave(kitchen) } == .invalidArgument)
        await home.world.finish()
    }

    @Test func aCodeIsAskedAsAlwaysAndAWrongOneLeavesNothingBehind() async throws {
        await home.discover()
        home.script.locked = [kitchen]
        _ = try await home.play()
        #expect(await failure { try await home.host.join(kitchen, living) { _, _ in "0000" } } == .authorizationFailed)
        #expect(await home.group(of: living) == [])
        #expect(await home.known(kitchen)?.activation == .idle)
        try await home.host.join(kitchen, living) { device, challenge in
            #expect(device.id == GroupWorld.kitchen && challenge.length == 4)
            return "1234"
        }
        #expect(await home.group(of: kitchen) == [living, kitchen])
        await home.world.finish()
    }

    @Test func whatDoesNotFitIsRefusedWithItsReason() async throws {
        let loner = GroupWorld.device(4, "Loner") { $0.canGroup = false }
        let stepped = GroupWorld.device(5, "Stepped") { $0.volumeControl = .relative }
        await home.discover(loner, stepped)
        #expect(await failure { try await home.host.join(kitchen, living, prompt: nil) } == .noSuchSession)
        _ = try await home.play()
        #expect(await failure { try await home.host.join(loner.id, living, prompt: nil) } == .cannotGroup)
        #expect(await failure { try await home.host.join(stepped.id, living, prompt: nil) } == .cannotGroup)
        #expect(await failure { try await home.host.join(living, living, prompt: nil) } == .invalidArgument)
        #expect(await failure { try await home.host.join("nobody", living, prompt: nil) } == .noSuchDevice)
        _ = try await home.play(on: bath)
        #expect(await failure { try await home.host.join(bath, living, prompt: nil) } == .deviceInUse)
        try await home.host.activate(kitchen, holder: "app", prompt: nil)
        #expect(await failure { try await home.host.join(kitchen, living, prompt: nil) } == .deviceInUse)
        #expect(await home.group(of: living) == [])
        await home.world.finish()
    }

    @Test func ofTwoProtocolsNoneJoins() async throws {
        var foreign = HostDevice(
            description: GroupWorld.device(2, "Kitchen"), extensionIdentifier: "org.example.other",
            protocolIdentifier: "other", protocolName: "Other", availability: .ready)
        let own = HostDevice(
            description: GroupWorld.device(1, "Living Room"), extensionIdentifier: "org.example.test",
            protocolIdentifier: "test", protocolName: "Test", availability: .ready)
        #expect(throws: HostError.self) { try GroupRule.check(foreign, with: own) }
        foreign.extensionIdentifier = own.extensionIdentifier
        try GroupRule.check(foreign, with: own)
        #expect(throws: HostError.self) { try GroupRule.check(foreign, with: own, application: "org.example.app") }
    }

    @Test func theOthersPlayOnWhenTheOneThatLeadsLeaves() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen, bath])
        try await home.host.leave(living)
        #expect(home.deactivated == [living] && home.stops == 0)
        let now = try await home.host.session(session)
        #expect(now.deviceID == kitchen && now.members == [kitchen, bath] && now.state == .active)
        #expect(await home.group(of: bath) == [kitchen, bath])
        #expect(await home.group(of: living) == [])
        let record = home.world.store.sessions.withLock { $0 }.first
        #expect(record?.device.id == kitchen && record?.others?.map(\.id) == [bath])

        // It carries out commands, and its end releases all devices.
        try await home.host.command(PlaybackCommand(.setPlaying, flag: false), session: session)
        try await home.host.stop(session)
        #expect(Set(home.deactivated) == [living, kitchen, bath] && home.stops == 1)
        #expect(await home.host.isIdle == false, "somebody looks for devices")
        await home.host.endLease("test")
        #expect(await home.host.isIdle)
        #expect(home.runner.reasons.isEmpty)
        await home.world.finish()
    }

    @Test func severalPlayTogetherFromTheBeginning() async throws {
        await home.discover()
        let session = try await home.play(with: [kitchen, bath, kitchen])
        #expect(home.starts == 1)
        #expect(try await home.host.session(session).members == [living, kitchen, bath])
        let calls = home.runner.calls
        let start = try #require(calls.firstIndex { if case .startSession = $0 { true } else { false } })
        let joined = try #require(calls.lastIndex { if case .activate = $0 { true } else { false } })
        #expect(joined < start, "everybody is there before it starts")
        await home.world.finish()
    }

    @Test func ofSeveralOneThatIsNotThereKeepsAllFromBeginning() async throws {
        await home.discover()
        home.script.refusals = [bath: HostError(.unreachable, "It is off.")]
        #expect(await failure { _ = try await home.play(with: [kitchen, bath]) } == .unreachable)
        #expect(home.starts == 0)
        for id in [living, kitchen, bath] {
            #expect(await home.known(id)?.activation == .idle)
            #expect(await home.group(of: id) == [])
        }
        #expect(home.runner.reasons == ["discovery"])
        await home.world.finish()
    }

    @Test func exactlyThoseThatAreNamedPlay() async throws {
        await home.discover()
        let first = try await home.play(with: [kitchen])
        let alone = try await home.play(on: bath)
        // Without named others the group plays the next media, whichever member is named.
        let second = try await home.play(on: kitchen)
        #expect(try await home.host.session(second).members == [living, kitchen])
        #expect(await failure { _ = try await home.host.session(first) } == .noSuchSession)
        let third = try await home.play(with: [bath])
        #expect(try await home.host.session(third).members == [living, bath])
        #expect(await home.known(kitchen)?.activation == .idle)
        #expect(await failure { _ = try await home.host.session(alone) } == .noSuchSession)
        // A follower leaves its group to lead.
        let fourth = try await home.play(with: [kitchen], on: bath)
        #expect(try await home.host.session(fourth).members == [bath, kitchen])
        #expect(try await home.host.session(third).members == [living])
        let fifth = try await home.play(with: [], on: bath)
        #expect(try await home.host.session(fifth).members == [bath])
        await home.world.finish()
    }

    @Test func theEndOfTheMediaEndsTheGroup() async throws {
        await home.discover()
        _ = try await home.play(with: [kitchen])
        home.runner.emit(
            .message(.sessionEnded(session: try #require(home.activations(of: living).first), ending: nil)))
        await home.until(kitchen) { $0.activation == .idle && $0.group.isEmpty }
        await home.until(living) { $0.activation == .idle && $0.group.isEmpty }
        await home.world.finish()
    }

    @Test func whoHoldsTheOneThatLeadsHoldsTheGroup() async throws {
        await home.discover()
        try await home.host.activate(living, holder: "app", prompt: nil)
        try await home.host.join(kitchen, living, prompt: nil)
        let session = try await home.play()
        try await home.host.stop(session)
        #expect(await home.group(of: living) == [living, kitchen], "for what comes next")
        try await home.host.deactivate(living)
        #expect(await home.known(kitchen)?.activation == .active)
        #expect(await home.known(living)?.activation == .idle)
        await home.host.releaseAll(holder: "app")
        #expect(await home.known(kitchen)?.activation == .idle)
        await home.world.finish()
    }

    @Test func aFileIsServedToEveryMember() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "song.mp3")
        try Data("ID3".utf8).write(to: file)
        await home.discover()
        _ = try await home.host.play(
            file, on: living, with: [kitchen], application: nil, media: MediaInformation(), prompt: nil)
        let served = try #require(home.world.files.served.withLock { $0 }.first)
        #expect(home.world.files.admitted.withLock { $0[served.id] } == ["10.0.0.1", "10.0.0.2"])
        try await home.host.join(bath, living, prompt: nil)
        #expect(home.world.files.admitted.withLock { $0[served.id] } == ["10.0.0.1", "10.0.0.2", "10.0.0.3"])
        await home.world.finish()
        #expect(home.world.files.withdrawn.withLock { $0 } == [served])
    }

    @Test func whatEndsWhileACodeIsTypedIsNotJoined() async throws {
        await home.discover()
        home.script.locked = [kitchen]
        let session = try await home.play()
        let joined = await failure {
            try await home.host.join(kitchen, living) { [home] _, _ in
                try await home.host.stop(session)
                return "1234"
            }
        }
        #expect(joined == .cancelled)
        #expect(await home.known(kitchen)?.activation == .idle)
        #expect(await home.group(of: kitchen) == [])
        #expect(home.runner.reasons == ["discovery"])
        await home.world.finish()
    }
}

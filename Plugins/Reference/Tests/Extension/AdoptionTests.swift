import Foundation
import MediaDeviceTesting
import ReferenceProtocol
import Synchronization
import Testing

@testable import ReferenceExtension
@testable import ReferenceReceiver

/// The extension's process dies while receivers play on, and the next one takes them up.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct AdoptionTests {
    private let home = Home()

    /// The extension in a process of its own, so to speak: its connections break when it dies.
    @MainActor
    private final class Process {
        let system: TestSystem<ReferenceExtension>

        private final class Box: Sendable {
            let links = Mutex<[any ReceiverLink]>([])
        }

        private let box: Box

        init() {
            let box = Box()
            self.box = box
            system = TestSystem(
                ReferenceExtension(connect: { (device) async throws(ConnectionFailure) in
                    let link = try await ReferenceConnection.open(device.networkEndpoints)
                    box.links.withLock { $0.append(link) }
                    return link
                }), hostName: "desk")
        }

        func die() async { for link in box.links.withLock({ $0 }) { await link.close() } }
    }

    private func found(
        _ receiver: Home.Receiver, _ name: String, in process: Process
    ) async throws -> MediaOutputDevice {
        let system = process.system
        system.network.announce(
            name, type: ReferenceAnnouncement.serviceType, addresses: ["127.0.0.1"], port: receiver.place.port,
            txt: receiver.place.announcement.txt)
        system.startDiscovery()
        return try await system.foundDevice(named: name)
    }

    private func token(_ process: Process) -> Data? {
        for case .adoptionTokenSet(let token, _) in process.system.reports.reversed() { return token }
        return nil
    }

    @Test func whatPlaysIsTakenUpWithoutBeingTouched() async throws {
        try await home.withReceiver({ $0.authorization = .none }) { receiver in
            let url = try receiver.sample("film")
            let first = Process()
            let session = first.system.activate(try await found(receiver, "TV", in: first))
            try await session.activated()
            session.start(url)
            try await session.started()
            let before = try #require(await receiver.receiver.playback)

            await first.die()
            let second = Process()
            let again = second.system.activate(try await found(receiver, "TV", in: second))
            try await again.activated()
            try again.adopt(EarlierPlayback(url: url, token: token(first)))
            try await again.started()
            let after = try #require(await receiver.receiver.playback)
            #expect(after.id == before.id)
            #expect(abs((after.position - before.position) - (after.time - before.time)) < 0.001, "it moved on")
            #expect(again.control?.metadata.title == "The Sample" && again.control?.isPlaying == true)
            try again.perform(.pause)
            try await again.control("the pause") { !$0.isPlaying }
            again.stop()
            try await receiver.sees { $0 == .playback(nil) }
        }
    }

    @Test func whatIsOverOrAnotherThingIsNotTakenUp() async throws {
        try await home.withReceiver({ $0.authorization = .none }) { receiver in
            let url = try receiver.sample("tone.wav")
            let first = Process()
            let device = try await found(receiver, "TV", in: first)
            let session = first.system.activate(device)
            try await session.activated()
            for token in [nil, Data("something".utf8)] {
                try session.adopt(EarlierPlayback(url: url, token: token))
                try await session.ended()
            }
            session.start(url)
            try await session.started()
            let other = Process()
            let late = other.system.activate(try await found(receiver, "TV", in: other))
            try await late.activated()
            try late.adopt(EarlierPlayback(url: url, token: Data("something else".utf8)))
            try await late.ended()
            #expect(await receiver.receiver.playback?.isPlaying == true, "and it is left alone")
        }
    }

    @Test func anApplicationIsTakenUp() async throws {
        try await home.withReceiver({ $0.authorization = .none }) { receiver in
            let echo = "org.mdhost.reference.echo"
            let url = try #require(URL(string: "echo:hello"))
            let first = Process()
            let session = first.system.activate(try await found(receiver, "TV", in: first), for: .appLaunch)
            try await session.activated()
            session.start(url, application: echo)
            try await session.started()

            await first.die()
            let second = Process()
            let again = second.system.activate(try await found(receiver, "TV", in: second), for: .appLaunch)
            try await again.activated()
            try again.adopt(EarlierPlayback(url: url, applicationIdentifier: echo, token: token(first)))
            try await again.started()
            again.send(Data("ping".utf8), toApplication: echo)
            #expect(try await again.receivedData().data == Data("ping".utf8))
        }
    }

    @Test func severalAreTakenUpTogetherAndOneThatLostItFindsTheOthers() async throws {
        try await home.withReceiver({ $0.authorization = .none }) { living in
            try await home.withReceiver({ $0.authorization = .none }) { kitchen in
                let url = try living.sample("tone.wav")
                let first = Process()
                let session = first.system.activate(try await found(living, "Living Room", in: first))
                try await session.activated()
                try await first.system.activate(try await found(kitchen, "Kitchen", in: first), joining: session)
                    .activated()
                session.start(url)
                try await session.started()
                // It is accepted a moment before the common start.
                while !Task.isCancelled, await living.receiver.playback?.rate != 1 { await Task.yield() }
                await first.die()
                // A person stops it in one room while no extension listens.
                await kitchen.receiver.perform(.stop)
                let second = Process()
                let again = second.system.activate(try await found(living, "Living Room", in: second))
                try await again.activated()
                try again.adopt(EarlierPlayback(url: url, token: token(first)))
                try await again.started()
                let position = await living.receiver.playback?.position ?? 0
                try await second.system.activate(try await found(kitchen, "Kitchen", in: second), joining: again)
                    .activated()
                while !Task.isCancelled {
                    let states = [await living.receiver.playback, await kitchen.receiver.playback].compactMap(\.self)
                    if states.count == 2, states.allSatisfy({ $0.rate == 1 }) { break }
                    await Task.yield()
                }
                let states = [await living.receiver.playback, await kitchen.receiver.playback].compactMap(\.self)
                try #require(states.count == 2)
                let gap = (states[1].position - states[0].position) - (states[1].time - states[0].time)
                #expect(states[0].id == states[1].id && abs(gap) < 0.025 && states[0].position >= position)
                try again.perform(.pause)
                while !Task.isCancelled {
                    let isPaused = [await living.receiver.playback, await kitchen.receiver.playback]
                        .allSatisfy { $0?.isPlaying == false }
                    if isPaused { break }
                    await Task.yield()
                }
            }
        }
    }

    /// They received their start time, and the extension died before that: no receiver is moved when another joins.
    @Test func aStartThatIsStillToComeIsWaitedFor() async throws {
        try await home.withReceiver({ $0.authorization = .none }) { living in
            try await home.withReceiver({ $0.authorization = .none }) { kitchen in
                let url = try living.sample("tone.wav")
                let first = Process()
                let session = first.system.activate(try await found(living, "Living Room", in: first))
                try await session.activated()
                try await first.system.activate(try await found(kitchen, "Kitchen", in: first), joining: session)
                    .activated()
                session.start(url)
                for room in [living, kitchen] {
                    try await room.sees { if case .playback(let state?) = $0 { Self.isToBegin(state) } else { false } }
                }
                let token = token(first)
                await first.die()
                await kitchen.receiver.perform(.stop)

                let second = Process()
                let again = second.system.activate(try await found(living, "Living Room", in: second))
                try await again.activated()
                try again.adopt(EarlierPlayback(url: url, token: token))
                try await second.system.activate(try await found(kitchen, "Kitchen", in: second), joining: again)
                    .activated()
                for room in [living, kitchen] {
                    try await room.sees { if case .playback(let state?) = $0 { state.rate == 1 } else { false } }
                }
                // Told after the start, so it is known where that put them.
                try again.perform(.pause)
                for room in [living, kitchen] {
                    try await room.sees { if case .playback(let state?) = $0 { !state.isPlaying } else { false } }
                }
                let beginnings = (living.shown + kitchen.shown).compactMap { notice -> Double? in
                    guard case .playback(let state?) = notice, state.rate == 1 else { return nil }
                    return state.time - state.position
                }
                let spread = try #require(beginnings.max()) - (beginnings.min() ?? 0)
                #expect(spread < 0.025, "moments of the beginning, as they told: \(beginnings)")
            }
        }
    }

    private nonisolated static func isToBegin(_ state: ReferencePlayback) -> Bool {
        state.isPlaying && !state.isHeld && !state.isBuffering
    }
}

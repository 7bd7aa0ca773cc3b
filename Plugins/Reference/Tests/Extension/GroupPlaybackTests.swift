import Foundation
import MediaDeviceTesting
import ReferenceProtocol
import Synchronization
import Testing

@testable import ReferenceExtension
@testable import ReferenceReceiver

/// Real receivers on loopback, with clocks the test moves, played to together.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct GroupPlaybackTests {
    /// The bound in PROTOCOL.md, in seconds.
    private static let bound = 0.025

    private nonisolated static let isSanitized: Bool = {
        #if SANITIZED
            true
        #else
            false
        #endif
    }()

    /// A receiver's clock: as far ahead of this machine's as the test says.
    private final class MovedClock: Sendable {
        private let ahead: Mutex<Double>
        init(ahead: Double) { self.ahead = Mutex(ahead) }
        var now: Double { ahead.withLock { ReferenceReceiver.hostTime + $0 } }
        func move(by seconds: Double) { ahead.withLock { $0 += seconds } }
    }

    private struct Room {
        let receiver: Home.Receiver
        let device: MediaOutputDevice
        let clock: MovedClock
    }

    private let home = Home()
    private let clock = ManualClock()
    private let system: TestSystem<ReferenceExtension>

    init() {
        let clock = clock
        system = TestSystem(ReferenceExtension(clock: clock), hostName: "desk")
    }

    private func withRoom(
        _ name: String, ahead: Double, _ change: (inout ReceiverSettings) -> Void = { _ in },
        _ body: (Room) async throws -> Void
    ) async throws {
        let moved = MovedClock(ahead: ahead)
        try await home.withReceiver(
            {
                $0.authorization = .none
                change(&$0)
            }, clock: { moved.now }
        ) { receiver in
            system.network.announce(
                name, type: ReferenceAnnouncement.serviceType, addresses: ["127.0.0.1"], port: receiver.place.port,
                txt: receiver.place.announcement.txt)
            system.startDiscovery()
            let device = try await system.foundDevice(named: name)
            try await body(Room(receiver: receiver, device: device, clock: moved))
        }
    }

    private func withTwoRooms(_ body: (Room, Room) async throws -> Void) async throws {
        try await withRoom("Living Room", ahead: 1000) { living in
            try await withRoom("Kitchen", ahead: -500) { kitchen in try await body(living, kitchen) }
        }
    }

    /// A session in which both are active.
    private func together(_ rooms: Room...) async throws -> TestSession<ReferenceExtension> {
        let session = system.activate(rooms[0].device)
        try await session.activated()
        for room in rooms.dropFirst() { try await system.activate(room.device, joining: session).activated() }
        return session
    }

    /// Returns the room's own position at a time of this machine's clock.
    private func position(in room: Room, at moment: Double) async -> Double? {
        guard let state = await room.receiver.receiver.playback else { return nil }
        // Both clocks go at the same pace, so this is the time since on either.
        let elapsed = moment - (state.time - (room.clock.now - ReferenceReceiver.hostTime))
        return state.position + state.rate * elapsed
    }

    /// Returns the largest distance between them, in seconds; `nil` unless all are playing.
    private func spread(_ rooms: [Room]) async -> Double? {
        let moment = ReferenceReceiver.hostTime
        var positions: [Double] = []
        for room in rooms {
            guard await room.receiver.receiver.playback?.rate != 0,
                let position = await position(in: room, at: moment)
            else { return nil }
            positions.append(position)
        }
        return (positions.max() ?? 0) - (positions.min() ?? 0)
    }

    /// Waits until all move, in step.
    private func areInStep(_ rooms: Room..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var last: Double?
        while !Task.isCancelled {
            last = await spread(rooms)
            if let last, last < Self.bound { return }
            await Task.yield()
        }
        Issue.record("they are \(last ?? .nan) s apart", sourceLocation: sourceLocation)
    }

    private func waits(until fits: () async -> Bool) async {
        while !Task.isCancelled, await !fits() { await Task.yield() }
    }

    @Test func severalBeginTogether() async throws {
        try await withTwoRooms { living, kitchen in
            let session = try await together(living, kitchen)
            session.start(
                try living.receiver.sample("tone.wav"), information: .init(title: "Tone", startPosition: 12))
            try await session.started()
            #expect(session.control?.metadata.title == "Tone")
            try await areInStep(living, kitchen)
            #expect(try #require(await position(in: living, at: ReferenceReceiver.hostTime)) >= 12)
            #expect(
                system.reports.contains { if case .updated(let it) = $0 { it.count == 2 } else { false } },
                "they are told as a group")
            session.stop()
            for room in [living, kitchen] { try await room.receiver.sees { $0 == .playback(nil) } }
        }
    }

    @Test func allOfASessionMayBeOnTheirWayAtOnce() async throws {
        try await withTwoRooms { living, kitchen in
            let first = system.activate(living.device)
            let second = system.activate(kitchen.device, joining: first)
            var isActive: Set<UUID> = []
            for _ in 0..<2 {
                let report = try await system.report("an activation") {
                    if case .activated = $0 { true } else { false }
                }
                if case .activated(let device, first.id) = report { isActive.insert(device) }
            }
            #expect(isActive == [living.device.id, kitchen.device.id])
            first.start(try living.receiver.sample("tone.wav"))
            try await first.started()
            try await areInStep(living, kitchen)
            second.deactivate()
            first.stop()
        }
    }

    @Test(.disabled(if: isSanitized, "answers take longer there than clocks may be apart"))
    func aClockThatHasDriftedIsFollowed() async throws {
        try await withTwoRooms { living, kitchen in
            let session = try await together(living, kitchen)
            session.start(try living.receiver.sample("tone.wav"))
            try await session.started()
            try await areInStep(living, kitchen)
            kitchen.clock.move(by: 0.08)
            #expect(try #require(await spread([living, kitchen])) > 0.06, "it went ahead")
            while try #require(await spread([living, kitchen])) > Self.bound { await clock.advance(by: .seconds(4)) }
            session.stop()
        }
    }

    @Test func oneMoreJoinsWhatPlays() async throws {
        try await withTwoRooms { living, kitchen in
            let session = try await together(living)
            session.start(try living.receiver.sample("film"), information: .init(startPosition: 30))
            try await session.started()
            let before = try #require(await living.receiver.receiver.playback)
            let joined = system.activate(kitchen.device, joining: session)
            try await joined.activated()
            try await areInStep(living, kitchen)
            let after = try #require(await living.receiver.receiver.playback)
            let moved = after.position - before.position
            #expect(after.id == before.id && abs(moved - (after.time - before.time)) < 0.001, "without a jump")
            // It reads the programme's description for itself.
            while !Task.isCancelled, await kitchen.receiver.receiver.playback?.title != "The Sample" {
                await Task.yield()
            }

            joined.deactivate()
            try await kitchen.receiver.sees { $0 == .playback(nil) }
            #expect(await living.receiver.receiver.playback?.rate == 1)
            #expect(session.control?.isPlaying == true)
            session.stop()
        }
    }

    @Test func commandsMoveAll() async throws {
        try await withTwoRooms { living, kitchen in
            let session = try await together(living, kitchen)
            session.start(try living.receiver.sample("film"))
            try await session.started()
            try await areInStep(living, kitchen)
            try session.perform(.pause)
            await waits {
                let states = [await living.receiver.receiver.playback, await kitchen.receiver.receiver.playback]
                return states.allSatisfy { $0?.isPlaying == false }
            }
            try session.perform(.seek(65))
            try session.perform(.selectSubtitles("sub-ja"))
            await waits {
                let states = [await living.receiver.receiver.playback, await kitchen.receiver.receiver.playback]
                return states.allSatisfy { $0?.position == 65 && $0?.selected["subtitles"] == "sub-ja" }
            }
            try await session.control("where all are") {
                !$0.isPlaying && $0.playbackPosition.position.seconds == 65
            }
            try session.perform(.play)
            try await areInStep(living, kitchen)
            try session.perform(.seek(20))
            await waits {
                guard let position = await kitchen.receiver.receiver.playback?.position else { return false }
                return position < 30
            }
            try await areInStep(living, kitchen)
            try session.perform(.setVolume(0.25))
            for room in [living, kitchen] {
                try await room.receiver.sees { $0 == .volume(level: 0.25, isMuted: false) }
            }
            session.stop()
        }
    }

    @Test func whatAPersonDoesInOneRoomIsDoneInAll() async throws {
        try await withTwoRooms { living, kitchen in
            let session = try await together(living, kitchen)
            session.start(try living.receiver.sample("tone.wav"))
            try await session.started()
            try await areInStep(living, kitchen)
            await kitchen.receiver.receiver.perform(.togglePlayback)
            await waits { await living.receiver.receiver.playback?.isPlaying == false }
            try await session.control("the pause") { !$0.isPlaying }
            await living.receiver.receiver.perform(.togglePlayback)
            try await areInStep(living, kitchen)
            try await session.control("that it goes on") { $0.isPlaying }
            await kitchen.receiver.receiver.perform(.stop)
            try await session.ended()
            try await living.receiver.sees { $0 == .playback(nil) }
        }
    }

    @Test func oneThatLeavesOrIsLostLeavesTheOthersPlaying() async throws {
        try await withRoom("Bath", ahead: 3) { bath in
            try await withTwoRooms { living, kitchen in
                let session = try await together(bath, living, kitchen)
                session.start(try living.receiver.sample("tone.wav"))
                try await session.started()
                try await areInStep(bath, living, kitchen)
                // The one it all began with.
                session.deactivate()
                try await bath.receiver.sees { $0 == .playback(nil) }
                #expect(await living.receiver.receiver.playback?.rate == 1)

                kitchen.receiver.switchOff()
                let (id, device) = (session.id, kitchen.device.id)
                try await system.report("the loss") {
                    if case .activationFailed(device, id, let error) = $0 { error.code == "unreachable" } else { false }
                }
                #expect(await living.receiver.receiver.playback?.rate == 1)
                try session.perform(.pause)
                await waits { await living.receiver.receiver.playback?.isPlaying == false }
                living.receiver.switchOff()
                await #expect(throws: ReportedError.self) { try await session.ended() }
            }
        }
    }

    @Test func whatOneCannotOpenNoneBegins() async throws {
        try await withRoom("Living Room", ahead: 0) { living in
            try await withRoom("Kitchen", ahead: 1, { $0.failures = [.format] }) { kitchen in
                let session = try await together(living, kitchen)
                session.start(try living.receiver.sample("tone.wav"))
                let error = await #expect(throws: ReportedError.self) { try await session.started() }
                #expect(error?.code == "unsupported-format")
                try await living.receiver.sees { $0 == .playback(nil) }

                // While others play, it is only out itself.
                let second = try await together(living)
                second.start(try living.receiver.sample("tone.wav"))
                try await second.started()
                try await system.activate(kitchen.device, joining: second).activated()
                let (id, device) = (second.id, kitchen.device.id)
                try await system.report("that it is out") {
                    if case .activationFailed(device, id, let error) = $0 {
                        error.code == "unsupported-format"
                    } else {
                        false
                    }
                }
                #expect(await living.receiver.receiver.playback?.rate == 1)
                second.stop()
            }
        }
    }
}

import Foundation
import MediaDeviceTesting
import PlaybackKit
import Testing

extension PlayerExtensionTests {
    private func activated() async throws -> (TestSession<ScriptedExtension>, ScriptedPlayer) {
        let session = system.activate(try device())
        try await session.activated()
        return (session, try #require(described.player))
    }

    @Test func theReleaseOfADeviceDoesNotEndTheOthersPlayback() async throws {
        let (session, player) = try await activated()
        try session.takeControl()
        try await until("control") { player.run != nil }
        let run = try #require(player.run)
        player.send(.playback(PlaybackSnapshot(isPlaying: true, position: 3, duration: 60), of: run))
        try await session.started()
        try session.perform(.pause)
        try await until("paused") { player.asked.contains(.perform(.setPlaying(false))) }
        session.deactivate()
        try await until("closed") { player.asked.contains(.close) }
        #expect(!player.asked.contains(.stop))
        #expect(ended(session).isEmpty)
    }

    @Test func aRequestToStopEndsIt() async throws {
        let (session, player) = try await activated()
        try session.takeControl()
        try await until("control") { player.run != nil }
        session.stop()
        try await until("stopped") { player.asked.contains(.stop) }
    }

    @Test func nothingToControlNeverStarts() async throws {
        let (session, player) = try await activated()
        player.isStillPlaying = false
        try session.takeControl()
        try await session.ended()
        #expect(!system.reports.contains(.started(session: session.id, application: nil)))
        #expect(ended(session) == [.sessionEnded(session: session.id, ending: nil)])
    }

    @Test func controlIsTakenAgainAfterALoss() async throws {
        let (session, player) = try await activated()
        try session.takeControl()
        try await until("control") { player.run != nil }
        player.lose()
        try await advance(by: .milliseconds(50), until: "another connection") { described.player !== player }
        let second = try #require(described.player)
        try await until("control again") { second.asked.contains(.takeControl) }
        #expect(ended(session).isEmpty)
    }

    @Test func anApplicationAndItsMessages() async throws {
        let (session, player) = try await activated()
        player.holdsLoads = true
        session.start(try #require(URL(string: "echo://x")), application: "org.example.app")
        try await until("asked") { player.asked.contains(.launch("org.example.app")) && player.gate != nil }
        session.send(Data([1]), toApplication: "org.example.app")
        session.send(Data([2]), toApplication: "com.apple.media-device-extension")
        #expect(!player.asked.contains(.send(Data([1]))), "not before it runs")
        player.answerWish()
        try await until("sent") { player.asked.contains(.send(Data([1]))) }
        #expect(!player.asked.contains(.send(Data([2]))))
        let run = try #require(player.run)
        player.send(.playback(PlaybackSnapshot(isPlaying: true, position: 0), of: run))
        try await session.started()
        #expect(system.reports.contains(.started(session: session.id, application: "org.example.app")))
        player.send(.data(Data([3]), of: run))
        player.send(.data(Data([4]), of: PlaybackRun(run.number + 1)))
        player.send(.ended(.takenOver(by: "Other"), of: run))
        try await session.ended()
        let received = system.reports.compactMap { if case .dataReceived(let data, _, _) = $0 { data } else { nil } }
        #expect(received == [Data([3])])
        #expect(ended(session) == [.sessionEnded(session: session.id, ending: .takenOver(by: "Other"))])
    }

    @Test func propertiesAreOfTheDevice() async throws {
        let (_, player) = try await activated()
        player.send(.properties(["playing": "A film", "member 1": "40 % Hall"]))
        func record() -> [String: String] {
            for case .updated(let devices) in system.reports.reversed() {
                if let record = devices.first?.txtRecords.first { return record.dictionary }
            }
            return [:]
        }
        try await until("known") { record()["playing"] == "A film" && record()["member 1"] == "40 % Hall" }
        player.send(.properties(["playing": ""]))
        try await until("changed") { record() == ["playing": ""] }
    }
}

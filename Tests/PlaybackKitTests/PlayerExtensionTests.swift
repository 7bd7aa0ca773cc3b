import Foundation
import MediaDeviceTesting
import PlaybackKit
import Testing

/// A kit-built extension as the host calls it, under a clock that the test moves.
@Suite(.timeLimit(.minutes(1)))
@MainActor
struct PlayerExtensionTests {
    let clock = ManualClock()
    let system: TestSystem<ScriptedExtension>
    let media = URL(filePath: "/film.mp4")

    init() { system = TestSystem(ScriptedExtension(clock: clock)) }

    var described: ScriptedProtocol { system.extension.described }

    func device() throws -> MediaOutputDevice {
        try #require(
            MediaOutputDevice(
                id: UUID(version5: "scripted:1"), displayName: "Room", capabilities: [.urlPlayback, .appLaunch],
                volumeControl: .absolute, requiredNetworkEndpoints: [.hostPort(host: "192.0.2.1", port: 1)]))
    }

    func playing() async throws -> (TestSession<ScriptedExtension>, ScriptedPlayer, PlaybackRun) {
        let session = system.activate(try device())
        try await session.activated()
        let player = try #require(described.player)
        player.send(.level(PlayerLevel(volume: 0.5, isMuted: false)))
        session.start(media)
        try await until("loaded") { player.run != nil }
        let run = try #require(player.run)
        player.send(.playback(PlaybackSnapshot(isPlaying: true, position: 0, duration: 60), of: run))
        try await session.started()
        return (session, player, run)
    }

    func ended(_ session: TestSession<ScriptedExtension>) -> [ExtensionReport] {
        system.reports.filter { report in
            switch report {
            case .sessionEnded(session.id, _), .sessionFailed(session.id, _): true
            default: false
            }
        }
    }

    /// Moves the clock in steps: a pause may begin a little after it has moved.
    func advance(by step: Duration, until what: String, _ isSo: () -> Bool) async throws {
        for _ in 0..<1000 where !isSo() { await clock.advance(by: step) }
        if !isSo() { throw NotInTime() }
    }

    // MARK: Discovery

    @Test func findsUpdatesAndLosesDevices() async throws {
        system.startDiscovery()
        system.network.announce(
            "Room", type: "_scripted._tcp", addresses: ["192.0.2.7"], port: 9, txt: ["id": "7"])
        let found = try await system.foundDevice(named: "Room")
        #expect(found.networkEndpoints.count == 1)
        system.network.announce(
            "Room", type: "_scripted-b._tcp", addresses: ["192.0.2.7"], port: 10, txt: ["id": "7"])
        try await until("both") { system.devices.first?.networkEndpoints.count == 2 }
        system.network.withdraw("Room", type: "_scripted._tcp")
        system.network.withdraw("Room", type: "_scripted-b._tcp")
        try await until("gone") { system.devices.isEmpty }
        system.stopDiscovery()
        #expect(system.network.browsedTypes.isEmpty)
    }

    @Test func ownDevicesNeedNoAnnouncement() async throws {
        described.ownDevices = [try device()]
        system.startDiscovery()
        #expect(try await system.foundDevice().displayName == "Room")
        system.stopDiscovery()
        system.startDiscovery()
        #expect(try await system.foundDevice().displayName == "Room", "found each time")
    }

    @Test func devicesOfTheProtocolsOwnAreFollowed() async throws {
        system.startDiscovery()
        try await until("followed") { described.changes != nil }
        described.changes?.yield(.found(try device()))
        #expect(try await system.foundDevice().displayName == "Room")
        described.changes?.yield(.lost(try device()))
        try await until("gone") { system.devices.isEmpty }
        system.stopDiscovery()
        let device = try device()
        try await until("cancelled") {
            if case .terminated? = described.changes?.yield(.found(device)) { true } else { false }
        }
    }

    // MARK: Activation

    @Test func aDeviceMayAskWhileItIsOpened() async throws {
        described.question = SecretRequest(.none, reason: "Does it show 42?")
        let first = system.activate(try device())
        #expect(try await first.pairingRequest().reason == "Does it show 42?")
        first.answer("")
        try await first.activated()
        #expect(described.answers == [""] && described.players.count == 1)
        first.deactivate()
        try await until("closed") { described.player?.asked.last == .close }

        let second = system.activate(try device())
        _ = try await second.pairingRequest()
        second.answer(nil)
        let error = try await #require(throws: ReportedError.self) { try await second.activated() }
        #expect(error.message == "Refused.")
    }

    @Test func aCancellationEndsAnActivationThatOnlyShowsSomething() async throws {
        described.question = SecretRequest(.none, reason: "Type 42 there.")
        described.onlyShows = true
        let session = system.activate(try device())
        _ = try await session.pairingRequest()
        session.answer("")
        session.answer(nil)
        let error = try await #require(throws: ReportedError.self) { try await session.activated() }
        #expect(error.code == "authorization-failed" && described.players.isEmpty)
    }

    @Test func asksOnceAndStoresWhatWasEntered() async throws {
        described.password = "sesame"
        let device = try device()
        let wrong = system.activate(device)
        #expect(try await wrong.pairingRequest().reason == "It wants a password.")
        wrong.answer("bad")
        let error = try await #require(throws: ReportedError.self) { try await wrong.activated() }
        #expect(error.message == "Wrong. Try again in 30 seconds.")
        #expect(system.credential(for: device) == nil)

        let right = system.activate(device)
        _ = try await right.pairingRequest()
        right.answer("sesame")
        try await right.activated()
        #expect(system.credential(for: device) == Data("sesame".utf8))
        right.deactivate()
        try await until("closed") { described.player?.asked.last == .close }

        let later = system.activate(device)
        try await later.activated()
        #expect(described.secrets.last == .stored(Data("sesame".utf8)))
    }

    @Test func forgetsAStoredSecretThatIsRefused() async throws {
        described.password = "new"
        let device = try device()
        system.setCredential(Data("old".utf8), for: device)
        let session = system.activate(device)
        _ = try await session.pairingRequest()
        #expect(system.credential(for: device) == nil)
        session.answer(nil)
        await #expect(throws: ReportedError.self) { try await session.activated() }
    }

    // MARK: Playback

    @Test func playsAndEndsOnce() async throws {
        let (session, player, run) = try await playing()
        #expect(session.control?.timeRange.duration.seconds == 60)
        player.send(.ended(.finished, of: run))
        player.send(.ended(.stopped, of: run))
        player.send(.playback(PlaybackSnapshot(isPlaying: true, position: 1), of: run))
        try await session.ended()
        await clock.advance(by: .seconds(10))
        #expect(ended(session).count == 1)
    }

    @Test(
        arguments: [
            (PlaybackEnding.finished, MediaOutputSession.Ending.finished), (.stopped, .interrupted),
            (.unexplained, nil),
        ] as [(PlaybackEnding, MediaOutputSession.Ending?)])
    func tellsHowPlaybackEnded(_ ending: PlaybackEnding, reported: MediaOutputSession.Ending?) async throws {
        let (session, player, run) = try await playing()
        player.send(.ended(ending, of: run))
        try await session.ended()
        #expect(ended(session) == [.sessionEnded(session: session.id, ending: reported)])
    }

    @Test func startsBufferingWhenTheDeviceIsSlow() async throws {
        let session = system.activate(try device())
        try await session.activated()
        session.start(media)
        try await until("loaded") { described.player?.run != nil && clock.sleeperCount > 0 }
        #expect(session.control == nil)
        await clock.advance(by: .seconds(3))
        try await session.started()
        #expect(session.control?.isBuffering == true)
    }

    @Test func aRefusalFailsTheSession() async throws {
        let session = system.activate(try device())
        try await session.activated()
        described.player?.refusal = MediaDeviceError(.sessionFailed, detail: .unsupportedFormat, reason: "No.")
        session.start(media)
        let error = try await #require(throws: ReportedError.self) { try await session.started() }
        #expect(error.code == "unsupported-format")
    }

    @Test func theHostsStopIsNotReported() async throws {
        let (session, player, run) = try await playing()
        session.stop()
        try await until("stopped") { player.asked.contains(.stop) }
        player.send(.ended(.stopped, of: run))
        await clock.advance(by: .seconds(1))
        #expect(ended(session).isEmpty)
    }

    @Test func eventsOfAnEarlierRunAreIgnored() async throws {
        let (session, player, old) = try await playing()
        session.start(media)
        try await until("another run") { player.run != old }
        player.send(.ended(.stopped, of: old))
        player.send(
            .playback(PlaybackSnapshot(isPlaying: true, position: 5, duration: 7), of: try #require(player.run)))
        try await until("its control") { session.control?.timeRange.duration.seconds == 7 }
        #expect(ended(session).isEmpty)
    }

    @Test func aPlayerIsAskedOneThingAfterTheOther() async throws {
        let session = system.activate(try device())
        try await session.activated()
        let player = try #require(described.player)
        player.holdsLoads = true
        session.start(media)
        try await until("the first") { player.gate != nil }
        session.start(URL(filePath: "/other.mp4"))
        session.stop()
        session.deactivate()
        await clock.advance(by: .seconds(1))
        #expect(player.asked == [.load(media)], "nothing while it has not answered")
        player.holdsLoads = false
        player.answerWish()
        try await until("closed") { player.asked.last == .close }
        #expect(player.asked.dropLast().dropFirst().allSatisfy { $0 == .stop })
    }

    // MARK: Wishes

    @Test func wishesShowAtOnceAndTheDeviceHasTheLastWord() async throws {
        let (session, player, run) = try await playing()
        let control = try #require(session.control)
        player.holdsWishes = true
        control.isPlaying = false
        #expect(!control.isPlaying)
        try await until("asked") { player.gate != nil }
        player.send(.playback(PlaybackSnapshot(isPlaying: true, position: 2, duration: 60), of: run))
        control.volume = 0.2
        control.volume = 0.3
        control.volume = 0.4
        #expect(control.volume == 0.4 && !control.isPlaying)
        player.holdsWishes = false
        player.answerWish()
        try await until("the latest") { player.asked.contains(.perform(.setVolume(Double(Float(0.4))))) }
        #expect(player.asked.filter { if case .perform(.setVolume) = $0 { true } else { false } }.count == 1)
        player.send(.playback(PlaybackSnapshot(isPlaying: true, position: 3, duration: 60), of: run))
        player.send(.level(PlayerLevel(volume: 0.7, isMuted: true)))
        try await until("its word") { control.isPlaying && control.isMuted && abs(control.volume - 0.7) < 0.001 }
        #expect(system.volume(of: try device()).isMuted)
    }

    @Test func aRefusedWishIsTakenBack() async throws {
        let (session, player, _) = try await playing()
        let control = try #require(session.control)
        player.refusal = MediaDeviceError(.sessionFailed, detail: .deviceRefused, reason: "No.")
        control.isMuted = true
        #expect(control.isMuted)
        try await until("taken back") { !control.isMuted }
    }

    /// A person sets a level while nothing plays: the device is opened for that alone, and hasn't answered yet.
    private func unusedWithWish() async throws -> ScriptedPlayer {
        let session = system.activate(try device())
        try await session.activated()
        let player = try #require(described.player)
        player.holdsWishes = true
        try system.setVolume(0.25, for: try device())
        session.deactivate()
        try await until("asked") { player.gate != nil }
        return player
    }

    @Test func aDeviceIsClosedAfterItsLastWish() async throws {
        let player = try await unusedWithWish()
        #expect(!player.asked.contains(.close))
        player.answerWish()
        try await until("closed") { player.asked.contains(.close) }
        #expect(player.asked == [.perform(.setVolume(0.25)), .close])
    }

    @Test func aDeviceThatDoesNotAnswerIsClosedAllTheSame() async throws {
        let player = try await unusedWithWish()
        try await advance(by: .seconds(1), until: "closed") { player.asked.contains(.close) }
        player.answerWish()
    }

    @Test func aDeviceThatIsNeededAgainMeanwhileIsNotClosed() async throws {
        let player = try await unusedWithWish()
        let next = system.activate(try device())
        try await next.activated()
        player.answerWish()
        next.start(media)
        try await until("loaded") { player.run != nil }
        #expect(described.players.count == 1 && !player.asked.contains(.close))
        next.deactivate()
        try await until("closed") { player.asked.contains(.close) }
    }

    @Test func whatTheDeviceLacksIsRefused() async throws {
        let (session, player, run) = try await playing()
        let control = try #require(session.control)
        #expect(control.unsupportedFeatures == .playbackSpeed)
        #expect(throws: ReportedError.self) { try session.perform(.setSpeed(2)) }
        player.send(.level(PlayerLevel(volume: nil, isMuted: nil)))
        var live = PlaybackSnapshot(isPlaying: true, position: 0)
        live.canSeek = false
        live.speeds = [1, 2]
        player.send(.playback(live, of: run))
        try await until("its word") { control.unsupportedFeatures == [.mute, .volume] }
        #expect(throws: ReportedError.self) { try session.perform(.seek(5)) }
        for speed in [0.5, 4] { #expect(throws: ReportedError.self) { try session.perform(.setSpeed(speed)) } }
        try session.perform(.setSpeed(2))
        try await until("asked") { player.asked.contains(.perform(.setSpeed(2))) }
    }
}

import AppInterface
import Foundation
import NowPlaying
import Testing

@testable import MediaPlayer

@MainActor
@Suite("The centers of MediaPlayer", .timeLimit(.minutes(1)))
struct CenterTests {
    /// Without a session: the content is read from the model.
    private let player = InfoPlayer()

    @Test("the table is a song, its state follows rate and playbackState")
    func table() throws {
        #expect(player.content == nil && player.playbackSnapshot == nil)
        player.set([
            MPMediaItemPropertyTitle: "Song", MPMediaItemPropertyArtist: "Artist",
            MPMediaItemPropertyPlaybackDuration: 60,
            MPNowPlayingInfoPropertyPlaybackRate: 1.5, MPNowPlayingInfoPropertyElapsedPlaybackTime: NSNumber(value: 7),
        ])
        let song = try #require(player.content as? MusicContent)
        #expect(song.songTitle == "Song" && song.artistName == "Artist" && song.albumName == "" && song.type == .audio)
        guard case .finite(60) = song.duration else {
            return #expect(Bool(false), "\(String(describing: song.duration))")
        }
        let date = try #require(player.info?.date)
        #expect(
            player.playbackSnapshot
                == MediaPlaybackSnapshot(state: .playing(rate: 1.5), elapsedTime: 7, timestamp: date))
        player.set(player.info?.values, .paused, date)
        #expect(player.playbackSnapshot == MediaPlaybackSnapshot(state: .paused, elapsedTime: 7, timestamp: date))
        player.set([MPNowPlayingInfoPropertyIsLiveStream: true, MPNowPlayingInfoPropertyPlaybackRate: Double.nan])
        guard case .live = player.content?.duration else { return #expect(Bool(false)) }
    }

    @Test("a command is offered while it has a target, and each kind has what it takes")
    func commands() async {
        let center = MPRemoteCommandCenter(player)
        #expect(player.commands.isEmpty)
        let target = center.playCommand.addTarget { _ in .success }
        center.skipForwardCommand.preferredIntervals = [15, 30]
        center.skipForwardCommand.addTarget { _ in .success }
        center.changePlaybackPositionCommand.addTarget { _ in .success }
        center.changePlaybackRateCommand.supportedPlaybackRates = [1, 2]
        center.changePlaybackRateCommand.addTarget { _ in .success }
        while player.commands.count != 4 { await Task.yield() }
        center.playCommand.removeTarget(target)
        while player.commands.count != 3 { await Task.yield() }
        center.skipForwardCommand.removeTarget(nil)
        while player.commands.count != 2 { await Task.yield() }
    }

    @Test("both centers are used by code without isolation, on any thread")
    func anyThread() async {
        let center = MPNowPlayingInfoCenter(isPublished: false)
        let commands = MPRemoteCommandCenter(center.player)
        await Task.detached {
            center.nowPlayingInfo = [MPMediaItemPropertyTitle: "Song"]
            center.playbackState = .paused
            commands.playCommand.addTarget { _ in .success }
            commands.playCommand.isEnabled = false
        }.value
        while center.player.commands.isEmpty || center.player.state != .paused { await Task.yield() }
        #expect((center.player.content as? MusicContent)?.songTitle == "Song")
        #expect(!commands.playCommand.isEnabled && center.nowPlayingInfo?.count == 1)
        center.nowPlayingInfo = nil
        while center.player.content != nil { await Task.yield() }
    }

    @Test("an event is read by a function without isolation, as ported sources have it")
    func isolation() throws {
        let center = MPRemoteCommandCenter(player)
        let interval: @Sendable (MPRemoteCommandEvent) -> TimeInterval? = {
            ($0 as? MPSkipIntervalCommandEvent)?.interval
        }
        var heard: [TimeInterval?] = []
        center.skipForwardCommand.addTarget { event in
            heard.append(interval(event))
            return .success
        }
        try center.skipForwardCommand.perform(
            MPSkipIntervalCommandEvent(center.skipForwardCommand, interval: 15))
        #expect(heard == [15])
    }

    @Test("handlers get what was chosen, and a command fails where none succeeds")
    func handlers() throws {
        let center = MPRemoteCommandCenter(player)
        var heard: [String] = []
        center.changePlaybackPositionCommand.addTarget { event in
            heard.append("\((event as? MPChangePlaybackPositionCommandEvent)?.positionTime ?? -1)")
            return .commandFailed
        }
        let event = MPChangePlaybackPositionCommandEvent(center.changePlaybackPositionCommand, time: 12)
        #expect(throws: MPRemoteCommandError(status: .commandFailed)) {
            try center.changePlaybackPositionCommand.perform(event)
        }
        center.changePlaybackPositionCommand.addTarget { _ in .success }
        try center.changePlaybackPositionCommand.perform(event)
        #expect(heard == ["12.0", "12.0"])
    }

    @Test("an app is active while it has a session")
    func applicationState() {
        let before = UIApplication.shared.applicationState
        var session: MediaSession<InfoPlayer>? = MediaSession(player)
        #expect(UIApplication.shared.applicationState == .active)
        withExtendedLifetime(session) {}
        session = nil
        #expect(before == .inactive && UIApplication.shared.applicationState == .inactive)
    }
}

extension InfoPlayer {
    fileprivate func set(
        _ values: [String: Any]?, _ state: MPNowPlayingPlaybackState = .unknown, _ date: Date = .now
    ) {
        set(values.map { Info(values: $0, date: date) }, state)
    }
}

import Foundation
import NowPlaying

/// The commands for the app's current item, based on `MediaCommand`. A command is offered while it has a target.
///
/// Source: MediaPlayer, iOS 27 SDK.
public final class MPRemoteCommandCenter: Sendable {
    private static let center = MPRemoteCommandCenter(MPNowPlayingInfoCenter.default().player)

    /// The command that resumes playback.
    public let playCommand = MPRemoteCommand()
    /// The command that pauses playback.
    public let pauseCommand = MPRemoteCommand()
    /// The command that stops playback.
    public let stopCommand = MPRemoteCommand()
    /// The command that resumes or pauses playback.
    public let togglePlayPauseCommand = MPRemoteCommand()
    /// The command that plays the next item.
    public let nextTrackCommand = MPRemoteCommand()
    /// The command that plays the previous item.
    public let previousTrackCommand = MPRemoteCommand()
    /// The command that skips forward.
    public let skipForwardCommand = MPSkipIntervalCommand()
    /// The command that skips backward.
    public let skipBackwardCommand = MPSkipIntervalCommand()
    /// The command that seeks to a position.
    public let changePlaybackPositionCommand = MPChangePlaybackPositionCommand()
    /// The command that changes the playback rate.
    public let changePlaybackRateCommand = MPChangePlaybackRateCommand()

    /// Returns the app's center.
    public static func shared() -> MPRemoteCommandCenter { center }

    init(_ player: InfoPlayer) {
        for command in all {
            command.whenChanged { [weak self, weak player] in
                Task { @MainActor in
                    guard let self, let player else { return }
                    player.commands = self.offered
                }
            }
        }
    }

    private var all: [MPRemoteCommand] {
        [
            playCommand, pauseCommand, stopCommand, togglePlayPauseCommand, nextTrackCommand, previousTrackCommand,
            skipForwardCommand, skipBackwardCommand, changePlaybackPositionCommand, changePlaybackRateCommand,
        ]
    }

    @MainActor private var offered: [MediaCommand] {
        let plain: [(MPRemoteCommand, (@escaping () async throws -> Void) -> MediaCommand)] = [
            (playCommand, MediaCommand.play), (pauseCommand, MediaCommand.pause), (stopCommand, MediaCommand.stop),
            (togglePlayPauseCommand, MediaCommand.togglePlayPause), (nextTrackCommand, MediaCommand.next),
            (previousTrackCommand, MediaCommand.previous),
        ]
        var commands = plain.filter { $0.0.hasTarget }.map { command, make in
            make { try command.perform(MPRemoteCommandEvent(command)) }.enabled(command.isEnabled)
        }
        for (command, isForward) in [(skipForwardCommand, true), (skipBackwardCommand, false)] where command.hasTarget {
            let intervals = command.preferredIntervals.map(\.doubleValue)
            let action: (TimeInterval) async throws -> Void = {
                try command.perform(MPSkipIntervalCommandEvent(command, interval: $0))
            }
            commands.append(
                (isForward
                    ? MediaCommand.skipForward(preferredIntervals: intervals, action)
                    : MediaCommand.skipBackward(preferredIntervals: intervals, action)).enabled(command.isEnabled))
        }
        if changePlaybackPositionCommand.hasTarget {
            let command = changePlaybackPositionCommand
            commands.append(
                MediaCommand.seekToPosition {
                    try command.perform(MPChangePlaybackPositionCommandEvent(command, time: $0))
                }
                .enabled(command.isEnabled))
        }
        if changePlaybackRateCommand.hasTarget {
            let command = changePlaybackRateCommand
            commands.append(
                MediaCommand.changePlaybackRate(supported: command.supportedPlaybackRates.map(\.floatValue)) {
                    try command.perform(MPChangePlaybackRateCommandEvent(command, rate: $0))
                }.enabled(command.isEnabled))
        }
        return commands
    }
}

import AVKit
import CoreMedia
import HostInterface

/// Why a command cannot be applied.
package enum PlaybackCommandError: HostErrorConvertible, Hashable {
    /// The value the command's kind needs is absent.
    case missingValue(PlaybackCommand.Kind)
    /// A speed, level, position or tolerance that is no number, or an infinite one where that has no meaning.
    case notANumber(PlaybackCommand.Kind)
    case unknownMode(String)
    /// No option of the list has this identifier.
    case unknownOption(String)
    /// The content has no seekable range.
    case notSeekable

    package var asHostError: HostError {
        switch self {
        case .missingValue(let kind): HostError(.invalidArgument, "The command \(kind.rawValue) lacks its value.")
        case .notANumber(let kind): HostError(.invalidArgument, "The value of \(kind.rawValue) is no finite number.")
        case .unknownMode(let name): HostError(.invalidArgument, "There is no playback mode named “\(name)”.")
        case .unknownOption(let identifier):
            HostError(.invalidArgument, "The content has no option with the identifier “\(identifier)”.")
        case .notSeekable: HostError(.notSupported, "This content cannot be seeked.")
        }
    }
}

/// Applies a client's wish to a control object.
///
/// Levels are clamped to `0...1`, playback speeds to `0.0625...16`, scan speeds to `-64...64`, positions to the nearest
/// seekable point. A command that is refused changes nothing.
@MainActor
package enum PlaybackCommandApplier {
    private static let playbackSpeeds: ClosedRange<Double> = 0.0625...16
    private static let scanSpeeds: ClosedRange<Double> = -64...64
    private static let levels: ClosedRange<Double> = 0...1

    package static func apply(
        _ command: PlaybackCommand, to control: any AVPlaybackUserInterfaceControllable
    ) throws(PlaybackCommandError) {
        switch command.kind {
        case .setPlaying: control.isPlaying = try flag(of: command)
        case .setMuted: control.isMuted = try flag(of: command)
        case .setVolume: control.volume = Float(try number(of: command, within: levels))
        case .setPlaybackSpeed: control.playbackSpeed = Float(try number(of: command, within: playbackSpeeds))
        case .setScanSpeed: control.scanSpeed = Float(try number(of: command, within: scanSpeeds))
        case .setMode: control.state = try mode(of: command)
        case .seek: try seek(command, control)
        case .selectAudio: control.currentAudioOption = try option(of: command, in: control.audioOptions)
        case .selectAudioDescription:
            control.currentAudioDescriptionOption = try option(of: command, in: control.audioDescriptionOptions)
        case .selectLegible: control.currentLegibleOption = try option(of: command, in: control.legibleOptions)
        }
    }

    private static func flag(of command: PlaybackCommand) throws(PlaybackCommandError) -> Bool {
        guard let flag = command.flag else { throw .missingValue(command.kind) }
        return flag
    }

    private static func number(
        of command: PlaybackCommand, within range: ClosedRange<Double>
    ) throws(PlaybackCommandError) -> Double {
        guard let number = command.number else { throw .missingValue(command.kind) }
        guard number.isFinite else { throw .notANumber(command.kind) }
        return min(range.upperBound, max(range.lowerBound, number))
    }

    private static func mode(
        of command: PlaybackCommand
    ) throws(PlaybackCommandError) -> AVPlaybackUserInterfacePlaybackState {
        guard let name = command.identifier else { throw .missingValue(command.kind) }
        guard let mode = PlaybackState.Mode(rawValue: name) else { throw .unknownMode(name) }
        return mode.mirrored
    }

    private static func option(
        of command: PlaybackCommand, in options: [AVPlaybackUserInterfaceMediaSelectionOption]
    ) throws(PlaybackCommandError) -> AVPlaybackUserInterfaceMediaSelectionOption? {
        guard let identifier = command.identifier else { return nil }
        guard let option = options.first(where: { $0.identifier == identifier }) else {
            throw .unknownOption(identifier)
        }
        return option
    }

    private static func seek(
        _ command: PlaybackCommand, _ control: any AVPlaybackUserInterfaceControllable
    ) throws(PlaybackCommandError) {
        guard let position = command.number else { throw .missingValue(.seek) }
        let tolerance = command.tolerance ?? 0
        guard position.isFinite, !tolerance.isNaN else { throw .notANumber(.seek) }
        let ranges = control.seekableTimeRanges?.map(PlaybackState.TimeRange.init)
        guard let target = nearest(to: position, in: ranges, whole: PlaybackState.TimeRange(control.timeRange)) else {
            throw .notSeekable
        }
        control.seek(to: CMTime(mirroredSeconds: target), tolerance: CMTime(mirroredSeconds: max(0, tolerance)))
    }

    /// - Returns: `nil` when nothing is seekable.
    private static func nearest(
        to position: Double, in ranges: [PlaybackState.TimeRange]?, whole: PlaybackState.TimeRange
    ) -> Double? {
        guard let ranges else {
            // A length of 0 is one that the device has not told yet.
            return whole.duration > 0 ? min(whole.end, max(whole.start, position)) : max(whole.start, position)
        }
        return ranges.map { min($0.end, max($0.start, position)) }.min { abs($0 - position) < abs($1 - position) }
    }
}

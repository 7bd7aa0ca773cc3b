package import AVKit
import CoreMedia
package import HostInterface

/// An error of a command that can't be applied.
package enum PlaybackCommandError: HostErrorConvertible, Hashable {
    /// The value that this kind of command requires is missing.
    case missingValue(PlaybackCommand.Kind)
    /// The speed, volume, position or tolerance isn't a number, or is infinite where that has no meaning.
    case notANumber(PlaybackCommand.Kind)
    case unknownMode(String)
    /// The list has no option with this identifier.
    case unknownOption(String)
    /// The device doesn't support the command; the text is one sentence for people.
    case unsupported(String)

    package var asHostError: HostError {
        switch self {
        case .missingValue(let kind): HostError(.invalidArgument, "The command \(kind.rawValue) lacks its value.")
        case .notANumber(let kind): HostError(.invalidArgument, "The value of \(kind.rawValue) isn't a finite number.")
        case .unknownMode(let name): HostError(.invalidArgument, "There is no playback mode named “\(name)”.")
        case .unknownOption(let identifier):
            HostError(.invalidArgument, "The content has no option with the identifier “\(identifier)”.")
        case .unsupported(let sentence): HostError(.notSupported, sentence)
        }
    }
}

/// Applies a client's command to a control object.
///
/// Volumes are clamped to `0...1`, playback speeds to `0.0625...16`, scan speeds to `-64...64`, and positions to the
/// nearest seekable one. A refused command changes nothing; a command that the control object doesn't offer doesn't
/// reach it.
@MainActor
package enum PlaybackCommandApplier {
    private static let playbackSpeeds: ClosedRange<Double> = 0.0625...16
    private static let scanSpeeds: ClosedRange<Double> = -64...64
    private static let levels: ClosedRange<Double> = 0...1

    package static func apply(
        _ command: PlaybackCommand, to control: any AVPlaybackUserInterfaceControllable
    ) throws(PlaybackCommandError) {
        let write = try write(command, to: control)
        if let reason = PlaybackRefusal.collect(write) { throw .unsupported(reason) }
    }

    /// Returns a closure that performs the command.
    private static func write(
        _ command: PlaybackCommand, to control: any AVPlaybackUserInterfaceControllable
    ) throws(PlaybackCommandError) -> () -> Void {
        switch command.kind {
        case .setPlaying:
            let isPlaying = try flag(of: command)
            return { control.isPlaying = isPlaying }
        case .setMuted:
            let isMuted = try flag(of: command)
            try require(.mute, of: control, "This device can't be muted.")
            return { control.isMuted = isMuted }
        case .setVolume:
            let level = try number(of: command, within: levels)
            try require(.volume, of: control, "The volume of this device can't be set.")
            return { control.volume = Float(level) }
        case .setPlaybackSpeed:
            let speed = try number(of: command, within: playbackSpeeds)
            try require(.playbackSpeed, of: control, "This device plays at one speed.")
            return { control.playbackSpeed = Float(speed) }
        case .setScanSpeed:
            let speed = try number(of: command, within: scanSpeeds)
            if speed != 0 { try requireScanning(at: speed, control) }
            return { control.scanSpeed = Float(speed) }
        case .setMode: return try mode(command, control)
        case .seek: return try seek(command, control)
        case .selectAudio:
            let option = try option(of: command, in: control.audioOptions, "There is no other audio to choose.")
            return { control.currentAudioOption = option }
        case .selectAudioDescription:
            let option = try option(
                of: command, in: control.audioDescriptionOptions, "There is no audio description to choose.")
            return { control.currentAudioDescriptionOption = option }
        case .selectLegible:
            let option = try option(of: command, in: control.legibleOptions, "There are no subtitles to choose.")
            return { control.currentLegibleOption = option }
        }
    }

    private static func require(
        _ feature: PlaybackState.Feature, of control: any AVPlaybackUserInterfaceControllable, _ refusal: String
    ) throws(PlaybackCommandError) {
        guard PlaybackStateReader.state(of: control).supports(feature) else { throw .unsupported(refusal) }
    }

    private static func requireScanning(
        at speed: Double, _ control: any AVPlaybackUserInterfaceControllable
    ) throws(PlaybackCommandError) {
        guard control.supportedSeekCapabilities.contains(speed < 0 ? .scanBackward : .scanForward) else {
            let media = PlaybackStateReader.state(of: control).isLive ? "Live media" : "This media"
            throw .unsupported(
                control.supportedSeekCapabilities.isDisjoint(with: [.scanForward, .scanBackward])
                    ? "\(media) can't be scanned." : "\(media) can't be scanned in this direction.")
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

    /// Returns a closure that changes the mode. Without a scan speed in the command, that of the object determines the
    /// direction.
    private static func mode(
        _ command: PlaybackCommand, _ control: any AVPlaybackUserInterfaceControllable
    ) throws(PlaybackCommandError) -> () -> Void {
        guard let name = command.identifier else { throw .missingValue(command.kind) }
        guard let mode = PlaybackState.Mode(rawValue: name) else { throw .unknownMode(name) }
        switch mode {
        case .normal: break
        case .scanning: try requireScanning(at: Double(control.scanSpeed), control)
        case .scrubbing: try requireSeeking(control)
        }
        return { control.state = mode.mirrored }
    }

    private static func option(
        of command: PlaybackCommand, in options: [AVPlaybackUserInterfaceMediaSelectionOption],
        _ refusal: String
    ) throws(PlaybackCommandError) -> AVPlaybackUserInterfaceMediaSelectionOption? {
        guard !options.isEmpty else { throw .unsupported(refusal) }
        guard let identifier = command.identifier else { return nil }
        guard let option = options.first(where: { $0.identifier == identifier }) else {
            throw .unknownOption(identifier)
        }
        return option
    }

    private static let notSeekable = PlaybackCommandError.unsupported("You can't seek in this.")

    private static func requireSeeking(
        _ control: any AVPlaybackUserInterfaceControllable
    ) throws(PlaybackCommandError) {
        guard control.supportedSeekCapabilities.contains(.seek) else { throw notSeekable }
    }

    private static func seek(
        _ command: PlaybackCommand, _ control: any AVPlaybackUserInterfaceControllable
    ) throws(PlaybackCommandError) -> () -> Void {
        guard let position = command.number else { throw .missingValue(.seek) }
        let tolerance = command.tolerance ?? 0
        guard position.isFinite, !tolerance.isNaN else { throw .notANumber(.seek) }
        try requireSeeking(control)
        let ranges = control.seekableTimeRanges?.map(PlaybackState.TimeRange.init)
        guard let target = nearest(to: position, in: ranges, whole: PlaybackState.TimeRange(control.timeRange)) else {
            throw notSeekable
        }
        return {
            control.seek(to: CMTime(mirroredSeconds: target), tolerance: CMTime(mirroredSeconds: max(0, tolerance)))
        }
    }

    /// Returns the seekable position nearest to a position; `nil` if there is none.
    private static func nearest(
        to position: Double, in ranges: [PlaybackState.TimeRange]?, whole: PlaybackState.TimeRange
    ) -> Double? {
        guard let ranges else {
            // A length of 0 means that the device hasn't reported it yet.
            return whole.duration > 0 ? min(whole.end, max(whole.start, position)) : max(whole.start, position)
        }
        return ranges.map { min($0.end, max($0.start, position)) }.min { abs($0 - position) < abs($1 - position) }
    }
}

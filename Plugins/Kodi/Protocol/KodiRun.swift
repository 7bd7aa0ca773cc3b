import Foundation
import JSONValues
public import PlaybackKit

/// The state of one playback, from Kodi's notifications and its current item. A value without I/O.
///
/// Kodi sends `OnPlay` before it has opened the media, `OnAVStart` when it plays, and `OnStop` at the end; the `OnStop`
/// of the earlier media arrives after our `Player.Open`. If Kodi can't open the media, it sends only `OnPlay` and shows
/// a dialog. Over HTTP it sends nothing.
public struct KodiRun: Sendable {
    private enum Phase { case opening, opened, playing, over }

    public enum Verdict: Sendable, Equatable {
        /// Playback hasn't started.
        case waiting
        case playing
        case ended(PlaybackEnding)
    }

    /// The seconds from `Player.Open` to the start for which Kodi may play nothing.
    public static let openingLimit = 20.0

    public let file: String
    private let tells: Bool
    private let since: Double
    private var phase = Phase.opening
    private var last: KodiState?

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - file: The URL as Kodi got it.
    ///   - tells: `true` if notifications arrive.
    ///   - isAdopted: `true` if playback started earlier.
    ///   - now: The time in seconds of the host clock.
    public init(file: String, tells: Bool, isAdopted: Bool = false, now: Double) {
        self.file = file
        self.tells = tells
        since = now
        if isAdopted { phase = .playing }
    }

    /// Processes a notification.
    ///
    /// - Returns: The end of playback; `nil` if it continues.
    public mutating func heard(_ notification: KodiNotification) -> PlaybackEnding? {
        switch (notification.method, phase) {
        case ("Player.OnPlay", .opening): phase = .opened
        case ("Player.OnAVStart", .opening), ("Player.OnAVStart", .opened): phase = .playing
        case ("Player.OnStop", .playing):
            phase = .over
            return notification.data["end"]?.bool == true ? .finished : .stopped
        default: break
        }
        return nil
    }

    /// Kodi was seen.
    ///
    /// - Parameters:
    ///   - state: `nil` while it plays nothing.
    ///   - hasComplained: `true` if a dialogue has opened since.
    public mutating func observed(_ state: KodiState?, hasComplained: Bool = false, now: Double) -> Verdict {
        let isOurs = state?.file == file
        switch phase {
        case .over: return .waiting
        case .opening, .opened:
            if isOurs, let state, !tells && (state.position > 0 || state.duration != nil) { phase = .playing }
            if phase == .playing { return .playing }
            guard !isOurs, now - since > Self.openingLimit || hasComplained && state == nil else { return .waiting }
            phase = .over
            return .ended(.failed(Self.failure))
        case .playing:
            if isOurs {
                last = state
                return .playing
            }
            // Just told of, and not among the active players yet.
            if tells, state == nil, last == nil, now - since < Self.openingLimit { return .waiting }
            phase = .over
            return .ended(state == nil && wasAtEnd ? .finished : .stopped)
        }
    }

    private var wasAtEnd: Bool {
        guard let last, let duration = last.duration else { return false }
        return last.position >= duration - 3
    }

    private static var failure: MediaDeviceError {
        MediaDeviceError(
            .sessionFailed, detail: .deviceRefused,
            reason: "Kodi couldn't play it. The reason is in Kodi's log; check that Kodi can open the address.")
    }
}

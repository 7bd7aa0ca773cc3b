import Foundation
import HostClient
import HostInterface

/// The line that shows the current playback: a value without I/O.
///
///     ▶  0:42 ━━━━━━━╾──────────────  4:10  Song · Artist            vol 40 %
struct PlaybackLine {
    let session: ClientSession
    let device: ClientDevice?
    /// `CLOCK_MONOTONIC` in seconds.
    let now: Double

    func text(width: Int, style: (Style, String) -> String) -> String {
        let playback = session.playback
        let position = playback.position(at: now)
        let duration = playback.timeRange.duration
        let time = playback.hasKnownPosition(at: now) ? ClockTime.text(position) + " " : ""
        let left = DisplayText.fit("\(symbol)  \(time)", width)
        var room = width - DisplayText.width(left)
        // The most important parts take their room first; the bar gets the rest.
        func taken(_ text: String) -> String {
            guard !text.isEmpty, DisplayText.width(text) <= room else { return "" }
            room -= DisplayText.width(text)
            return text
        }
        let live = time.isEmpty ? "live" : "  live"
        let right = taken(duration > 0 ? "  \(ClockTime.text(duration))" : (playback.isLive ? live : ""))
        let title = titleText.isEmpty ? "" : taken("  " + DisplayText.fit(titleText, min(40, max(1, width / 3))))
        let volume = volumeText.isEmpty ? "" : taken("  " + volumeText)
        let bar = bar(position / max(duration, 1), columns: duration > 0 ? min(40, room) : 0, style: style)
        return style(.accent, left) + bar + style(.dim, right) + title + style(.dim, volume)
    }

    private var symbol: String {
        if session.isOver { return "■" }
        if session.playback.isBuffering || ["starting", "reconnecting"].contains(session.state) { return "…" }
        return session.playback.isPlaying ? "▶" : "‖"
    }

    private var titleText: String {
        if session.state == "reconnecting" { return "reconnecting…" }
        return [session.title, session.subtitle].map(DisplayText.clean).filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private var volumeText: String {
        if session.playback.isMuted || device?.isMuted == true { return "muted" }
        guard session.playback.hasAudio, let level = device?.groupVolume ?? device?.volume else { return "" }
        return "vol \(Int((level * 100).rounded())) %"
    }

    private func bar(_ fraction: Double, columns: Int, style: (Style, String) -> String) -> String {
        guard columns > 3, fraction.isFinite else { return "" }
        let filled = Int((min(1, max(0, fraction)) * Double(columns)).rounded())
        return style(.accent, String(repeating: "━", count: filled))
            + style(.dim, String(repeating: "─", count: columns - filled))
    }
}

extension PlaybackState {
    /// Returns a Boolean value that indicates whether there is a position to show: live media, and media of unknown length,
    /// can play without one.
    func hasKnownPosition(at now: Double) -> Bool { timeRange.duration > 0 || position(at: now) >= 1 }
}

extension ClientSession {
    /// Returns the position, and the length or “live”: `0:42 of 4:10`; empty if nothing is known.
    func place(at now: Double, of preposition: String) -> String {
        let duration = playback.timeRange.duration
        let position = playback.hasKnownPosition(at: now) ? ClockTime.text(playback.position(at: now)) : ""
        guard duration <= 0 else { return position + preposition + ClockTime.text(duration) }
        guard playback.isLive else { return position }
        return position.isEmpty ? "live" : position + ", live"
    }
}

/// Times as people read and write them.
enum ClockTime {
    /// Returns `m:ss`, from one hour on `h:mm:ss`; `0:00` for an invalid time.
    static func text(_ seconds: Double) -> String {
        let total = Int(exactly: seconds.rounded(.down)).map { max(0, $0) } ?? 0
        let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    /// The time of day here, `hh:mm:ss.mmm`, of seconds since 1970.
    static func ofDay(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return "--:--:--.---" }
        var whole = time_t(seconds.rounded(.down))
        var parts = tm()
        localtime_r(&whole, &parts)
        let milliseconds = min(999, Int((seconds - seconds.rounded(.down)) * 1000))
        func digits(_ value: some BinaryInteger, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }.joined(separator: ":") + "."
            + digits(milliseconds, 3)
    }

    /// Seconds of `90`, `90.5`, `1:30` or `1:02:03`; `nil` for anything else.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var total = 0.0
        for (index, part) in parts.enumerated() {
            // Digits alone: `Double` reads exponents, hexadecimal numbers and words as well.
            guard part.allSatisfy({ ("0"..."9").contains($0) || ($0 == "." && index == parts.count - 1) }),
                part.first != ".", let value = Double(part), value.isFinite, index == 0 || value < 60
            else { return nil }
            total = total * 60 + value
        }
        return MediaInformation.times.contains(total) ? total : nil
    }
}

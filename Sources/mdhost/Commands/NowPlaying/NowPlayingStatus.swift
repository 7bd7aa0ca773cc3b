import ArgumentParser
import HostClient
import HostInterface

struct NowPlayingStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what plays now.")

    @OptionGroup var common: CommonOptions
    @OptionGroup var target: MediaSessionOption

    @Flag(help: "Print it again after every change, until Ctrl-C.")
    var follow = false

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            guard follow else {
                let session = try connection.mediaSession(target)
                try show(session, output)
                await connection.close()
                return
            }
            connection.inputs.addSignals()
            try await followChanges(&connection, output)
            await connection.close()
        }
    }

    private func followChanges(_ connection: inout HostConnection, _ output: Output) async throws {
        var last: ClientMediaSession??
        while true {
            let session = try? connection.mediaSession(target)
            if last != .some(session) {
                last = .some(session)
                if let session { try show(session, output) } else { try showNothing(output) }
            }
            if case .interrupted = try await connection.next() { return }
        }
    }

    private func show(_ session: ClientMediaSession, _ output: Output) throws {
        if output.isJSON { return try output.json(session) }
        output.line(MediaSessionLine(session: session, now: monotonicSeconds()).text)
    }

    private func showNothing(_ output: Output) throws {
        if output.isJSON { return try output.json([String: String]()) }
        output.line("Nothing plays.")
    }
}

struct NowPlayingList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List every session, the primary first.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.perform { output in
            let connection = try await HostConnection()
            let sessions = connection.view.sortedMediaSessions
            if output.isJSON {
                try output.json(sessions)
            } else if sessions.isEmpty {
                output.notice("Nothing plays.")
            } else {
                let rows = sessions.map { session in
                    let line = MediaSessionLine(session: session, now: monotonicSeconds())
                    return [
                        Table.Cell(session.isSystemPrimary ? "*" : ""),
                        Table.Cell(DisplayText.clean(session.name), .heading),
                        Table.Cell(line.word, session.state.playback?.isActive == true ? .good : .dim),
                        Table.Cell(line.times), Table.Cell(line.titles), Table.Cell(session.id, .dim),
                    ]
                }
                let width = Terminal.output.isInteractive ? Terminal.output.width : .max
                let table = Table(headings: ["", "NAME", "STATE", "POSITION", "TITLE", "ID"], rows: rows)
                for line in table.lines(width: width, style: { $0($1) }) { output.line(line) }
            }
            await connection.close()
        }
    }
}

/// A media session as people read it: a value without I/O.
struct MediaSessionLine {
    let session: ClientMediaSession
    /// `CLOCK_MONOTONIC` in seconds.
    let now: Double

    var word: String { session.state.playback?.state.rawValue ?? "no state" }

    var titles: String {
        let item = session.state.content
        return [item?.title, item?.subtitle].compactMap { $0 }.map(DisplayText.clean).filter { !$0.isEmpty }
            .joined(separator: " · ")
    }

    /// `1:02 / 4:10`, `1:02`, `live` or nothing.
    var times: String {
        let item = session.state.content
        if item?.extent == .live { return "live" }
        let position = session.state.playback?.position(at: now, duration: item?.end)
        return [position, item?.end].compactMap { $0 }.map(ClockTime.text).joined(separator: " / ")
    }

    /// `▶  1:02 / 4:10  Song · Artist  (App)`
    var text: String {
        let symbol =
            switch session.state.playback?.state {
            case .playing: "▶"
            case .buffering: "…"
            case .paused, .interrupted: "‖"
            case .stopped, nil: "■"
            }
        let name = "(\(DisplayText.clean(session.name)))"
        return [symbol, times, titles, name].filter { !$0.isEmpty }.joined(separator: "  ")
    }
}

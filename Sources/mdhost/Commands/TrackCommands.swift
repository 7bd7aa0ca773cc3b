import ArgumentParser
import HostClient
import HostInterface

struct TracksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracks", abstract: "List and choose audio, audio descriptions and subtitles.",
        discussion: """
            A track is chosen by its number in the list, its id, its name or its language, such as de. Exit code 6: the device \
            or what plays has no such tracks.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var target: SessionArgument

    @Option(help: "Audio track to play.")
    var audio: String?

    @Option(help: "Audio description to play along, or “off”.")
    var description: String?

    @Option(help: "Subtitles to show, or “off”.")
    var subtitles: String?

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let session = try await connection.session(of: target.device)
            let lists = TrackList.lists(of: session.playback)
            let wishes = zip(lists, [audio, description, subtitles]).compactMap { list, word in word.map { (list, $0) }
            }
            // All are understood before the first is sent.
            let commands = try wishes.map { list, word throws(HostError) in try list.command(choosing: word) }
            for command in commands { try await connection.client.command(command, session: session.path) }
            if output.isJSON {
                if commands.isEmpty { try output.json(lists) } else { try output.json(AcceptedCommand(session)) }
            } else if commands.isEmpty {
                show(lists, output)
            }
            await connection.close()
        }
    }

    private func show(_ lists: [TrackList], _ output: Output) {
        guard lists.contains(where: { !$0.tracks.isEmpty }) else {
            return output.notice("There are no tracks to choose from.")
        }
        let rows = lists.flatMap { list in
            list.tracks.enumerated().map { index, track in
                let isCurrent = track.identifier == list.current
                return [
                    Table.Cell(isCurrent ? "*" : ""), Table.Cell(list.kind.rawValue), Table.Cell("\(index + 1)"),
                    Table.Cell(DisplayText.clean(track.name), isCurrent ? .good : nil),
                    Table.Cell(DisplayText.clean(track.language ?? "")),
                    Table.Cell(DisplayText.clean(track.identifier), .dim),
                ]
            }
        }
        output.table(["", "KIND", "NO", "NAME", "LANGUAGE", "ID"], rows)
    }
}

/// One kind of tracks that a playback offers: a value without I/O.
struct TrackList: Encodable {
    enum Kind: String, Encodable { case audio, description, subtitles }

    var kind: Kind
    var tracks: [PlaybackState.Option]
    /// Identifier; `nil` if none is chosen.
    var current: String?

    /// Audio, descriptions, subtitles.
    static func lists(of playback: PlaybackState) -> [TrackList] {
        [
            TrackList(kind: .audio, tracks: playback.audioOptions, current: playback.currentAudioOption),
            TrackList(
                kind: .description, tracks: playback.audioDescriptionOptions,
                current: playback.currentAudioDescriptionOption),
            TrackList(kind: .subtitles, tracks: playback.legibleOptions, current: playback.currentLegibleOption),
        ]
    }

    /// - Throws: ``HostError`` `not-supported` without tracks, `invalid-argument` unless exactly one matches.
    func command(choosing word: String) throws(HostError) -> PlaybackCommand {
        guard !tracks.isEmpty else { throw HostError(.notSupported, none) }
        if kind != .audio, ["off", "none"].contains(word.lowercased()) { return PlaybackCommand(commandKind) }
        return PlaybackCommand(commandKind, identifier: try track(word).identifier)
    }

    private func track(_ word: String) throws(HostError) -> PlaybackState.Option {
        if let track = tracks.first(where: { $0.identifier == word }) { return track }
        if let number = Int(word), tracks.indices.contains(number - 1) { return tracks[number - 1] }
        let lower = word.lowercased()
        let named = tracks.filter { $0.name.lowercased() == lower || $0.language?.lowercased() == lower }
        // The language alone stands for any of its regions.
        let fitting = named.isEmpty ? tracks.filter { $0.language?.lowercased().hasPrefix(lower + "-") == true } : named
        guard let first = fitting.first else {
            let offered = tracks.map { $0.language ?? $0.name }.joined(separator: ", ")
            throw HostError(.invalidArgument, "There is no track “\(word)”. Offered: \(offered).")
        }
        guard fitting.count == 1 else {
            throw HostError(
                .invalidArgument, "Several tracks are “\(word)”. Use a number or an id from `mdhost tracks`.")
        }
        return first
    }

    private var commandKind: PlaybackCommand.Kind {
        switch kind {
        case .audio: .selectAudio
        case .description: .selectAudioDescription
        case .subtitles: .selectLegible
        }
    }

    private var none: String {
        switch kind {
        case .audio: "There is no other audio to choose."
        case .description: "There is no audio description to choose."
        case .subtitles: "There are no subtitles to choose."
        }
    }
}

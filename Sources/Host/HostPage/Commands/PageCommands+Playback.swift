import Foundation
import HostClient
import HostInterface

extension PageCommands {
    /// Commands for what plays.
    static let playback: [String: Body] = [
        "play": { (page, arguments, _) async throws(HostError) in
            let text = try arguments.text("url")
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) else {
                throw HostError(
                    .invalidArgument, "This isn't the address of something to play.",
                    remedy: "Enter an address that begins with http:// or https://, or drop a file onto the device.")
            }
            let device = try arguments.device()
            let others = try arguments.devices("with")
            var media = MediaInformation()
            media.title = try arguments.optionalText("title")
            let path = try await page.link.with { [media] client throws(HostError) in
                try await client.play(url, on: device, with: others, media: media)
            }
            return session(path)
        },
        "pause": { (page, arguments, _) async throws(HostError) in
            try await page.send(PlaybackCommand(.setPlaying, flag: false), arguments)
        },
        "resume": { (page, arguments, _) async throws(HostError) in
            try await page.send(PlaybackCommand(.setPlaying, flag: true), arguments)
        },
        "stop": { (page, arguments, _) async throws(HostError) in
            let path = try arguments.session()
            return try await page.request { client throws(HostError) in try await client.stop(path) }
        },
        "seek": { (page, arguments, _) async throws(HostError) in
            let position = try arguments.number("position", in: 0...1e9)
            return try await page.send(PlaybackCommand(.seek, number: position, tolerance: 0), arguments)
        },
        "speed": { (page, arguments, _) async throws(HostError) in
            let speed = try arguments.number("speed", in: 0.05...16)
            return try await page.send(PlaybackCommand(.setPlaybackSpeed, number: speed), arguments)
        },
        "select": { (page, arguments, _) async throws(HostError) in
            let kind: PlaybackCommand.Kind
            switch try arguments.text("kind") {
            case "audio": kind = .selectAudio
            case "subtitles": kind = .selectLegible
            case "description": kind = .selectAudioDescription
            default: throw HostError(.invalidArgument, "“kind” is audio, subtitles or description.")
            }
            let option = try arguments.optionalText("identifier")
            return try await page.send(PlaybackCommand(kind, identifier: option), arguments)
        },
        "segment": { (page, arguments, _) async throws(HostError) in
            let path = try arguments.session()
            let id = try arguments.text("id")
            let view = await page.hub.state.view
            guard let session = view.sessions.values.first(where: { $0.path == path }) else { throw ended }
            let segments = session.playback.segments
            // Where a device names none, they have numbers.
            let numbered = Int(id).flatMap { (1...max(1, segments.count)).contains($0) ? $0 - 1 : nil }
            guard let segment = segments.first(where: { $0.identifier == id }) ?? numbered.map({ segments[$0] }) else {
                throw HostError(.invalidArgument, "There is no such chapter.")
            }
            return try await page.send(
                PlaybackCommand(.seek, number: segment.timeRange.start, tolerance: 0), arguments)
        },
        "move": { (page, arguments, _) async throws(HostError) in
            try await page.move(try arguments.session(), to: try arguments.device())
        },
        "media": { (page, arguments, _) async throws(HostError) in
            let path = try arguments.mediaSession()
            guard let kind = MediaControl.Kind(rawValue: try arguments.text("kind")) else {
                throw HostError(.invalidArgument, "There is no such command for a media session.")
            }
            var action = MediaAction(kind)
            action.number = try arguments.optionalNumber("number")
            action.mode = try arguments.optionalText("mode")
            action.phase = try arguments.optionalText("phase").flatMap(MediaAction.Phase.init)
            return try await page.request { [action] client throws(HostError) in
                try await client.perform(action, media: path)
            }
        },
    ]

    static let ended = HostError(.noSuchSession, "The session has ended.")

    static func session(_ path: String) -> String {
        json(["session": PageJSON.text(String(path.dropFirst(HostNames.sessionsPath.count + 1)))])
    }

    private func send(_ command: PlaybackCommand, _ arguments: CommandArguments) async throws(HostError) -> String {
        let path = try arguments.session()
        return try await request { client throws(HostError) in try await client.command(command, session: path) }
    }
}

extension PageCommands {
    /// The answer of an upload.
    static func session(_ path: String, isComplete: Bool) -> String {
        json([
            "session": PageJSON.text(String(path.dropFirst(HostNames.sessionsPath.count + 1))),
            "complete": isComplete ? "true" : "false",
        ])
    }
}

import DBus
import Foundation
import HostCore
import HostInterface

/// The `org.mdhost.Session1` interface of a session.
struct SessionObject: Sendable {
    let host: MediaHost

    func interface(for id: String) -> DBusInterface {
        DBusInterface(
            HostNames.sessionInterface, methods: methods(id), properties: Self.properties,
            signals: [DBusSignalDeclaration("DataReceived", [("data", "ay")])])
    }

    private func methods(_ id: String) -> [DBusMethod] {
        [
            command("Resume", id) { _ in PlaybackCommand(.setPlaying, flag: true) },
            command("Pause", id) { _ in PlaybackCommand(.setPlaying, flag: false) },
            command("Seek", id, [("position", "d"), ("tolerance", "d")]) { arguments in
                guard let position = arguments.first?.asDouble, position.isFinite else { throw HostError.badArguments }
                return PlaybackCommand(.seek, number: position, tolerance: arguments.last?.asDouble ?? 0)
            },
            command("SetVolume", id, [("level", "d")]) { arguments in
                guard let level = arguments.first?.asDouble, level.isFinite else { throw HostError.badArguments }
                return PlaybackCommand(.setVolume, number: min(1, max(0, level)))
            },
            command("SetMuted", id, [("muted", "b")]) { arguments in
                guard let isMuted = arguments.first?.asBool else { throw HostError.badArguments }
                return PlaybackCommand(.setMuted, flag: isMuted)
            },
            command("Command", id, [("command", "a{sv}")]) { arguments in
                guard let value = arguments.first else { throw HostError.badArguments }
                return try DBusDictionaryDecoder().decode(PlaybackCommand.self, from: value)
            },
            .async("Stop", in: [], out: []) { _ in
                try await host.stop(id)
                await host.published()
                return []
            },
            .async("SendData", in: [("data", "ay")], out: []) { call in
                try await host.sendSessionData(Data(call.arguments.first?.asBytes ?? []), session: id)
                return []
            },
            .async("OpenDataChannel", in: [], out: [("socket", "h")]) { _ in
                [.fileDescriptor(try await host.openSessionChannel(session: id))]
            },
        ]
    }

    private func command(
        _ name: String, _ id: String, _ arguments: [(String, String)] = [],
        _ make: @escaping @Sendable ([DBusValue]) throws -> PlaybackCommand
    ) -> DBusMethod {
        .async(name, in: arguments, out: []) { call in
            try await host.command(make(call.arguments), session: id)
            return []
        }
    }

    private static let properties: [DBusProperty] = [
        DBusProperty("Id", "s", emits: .constant), DBusProperty("Device", "o"), DBusProperty("Devices", "ao"),
        DBusProperty("Part", "s"),
        DBusProperty("Source", "s", emits: .constant), DBusProperty("Application", "s", emits: .constant),
        DBusProperty("State", "s"), DBusProperty("Error", "(ss)"), DBusProperty("Ending", "s"),
        DBusProperty("Successor", "s"), DBusProperty("IsOthers", "b"),
        DBusProperty("Title", "s"),
        DBusProperty("Subtitle", "s"), DBusProperty("ArtworkURL", "s"), DBusProperty("IsReady", "b"),
        DBusProperty("IsPlaying", "b"), DBusProperty("IsBuffering", "b"), DBusProperty("IsLive", "b"),
        DBusProperty("Duration", "d"), DBusProperty("Position", "(ddd)"), DBusProperty("Volume", "d"),
        DBusProperty("Muted", "b"), DBusProperty("Playback", "a{sv}"),
        DBusProperty("Quality", "a{sv}"),
    ]

    static func values(_ session: HostSession) -> [String: DBusValue] {
        let playback = session.playback
        let position = playback.position
        var values: [String: DBusValue] = [
            "Id": .string(session.id), "Device": .objectPath(HostNames.devicePath(session.entryID)),
            "Devices": .devices(session.members), "Part": .string(session.deviceID),
            "Source": .string(session.source), "Application": .string(session.application ?? ""),
            "State": .string(session.state.rawValue), "Error": .error(session.error ?? playback.error),
            "Ending": .string(session.ending?.rawValue ?? ""), "Successor": .string(session.successor ?? ""),
            "IsOthers": .boolean(session.isOthers),
            "Title": .string(playback.title ?? session.media.title ?? fileName(session.source)),
            "Subtitle": .string(playback.subtitle ?? session.media.artist ?? ""),
            "ArtworkURL": .string(playback.artwork.first?.url ?? session.media.artworkURL ?? ""),
            "IsReady": .boolean(playback.isReady), "IsPlaying": .boolean(playback.isPlaying),
            "IsBuffering": .boolean(playback.isBuffering), "IsLive": .boolean(playback.isLive),
            "Duration": .double(playback.timeRange.duration),
            "Position": .structure([
                .double(position.value), .double(position.hostTime), .double(position.rate),
            ]),
            "Volume": .double(playback.volume), "Muted": .boolean(playback.isMuted),
        ]
        // The state is made of plain values, so encoding it cannot fail; without it the typed properties still tell.
        values["Quality"] =
            session.quality.flatMap { try? DBusDictionaryEncoder().encode($0) } ?? .properties([:])
        values["Playback"] = try? DBusDictionaryEncoder().encode(playback)
        return values
    }

    /// Returns the title of media without one: the last part of its URL, without the extension.
    private static func fileName(_ source: String) -> String {
        if source == PlaybackSource.streamAddress { return "Stream" }
        return URL(string: source)?.deletingPathExtension().lastPathComponent ?? ""
    }
}

import DBus
import Foundation
package import HostCore
package import Logging

/// The media players that other programs show on the session bus, while somebody follows them.
///
/// Source: MPRIS D-Bus Interface Specification 2.2, and its metadata guidelines.
package actor SessionBusPlayers: MediaPlayerPort {
    private static let bus = "org.freedesktop.DBus"
    /// Only the first ones are read.
    private static let most = 32
    /// Characters of a title that are kept.
    private static let longestText = 300
    /// The time for a player to answer. One that is slower counts as none.
    private static let patience = Duration.seconds(1)

    package nonisolated let changes: AsyncStream<Void>
    private nonisolated let change: AsyncStream<Void>.Continuation
    private let loop = DBusLoop(label: "org.mdhost.media-players")
    private let ownProcess: Int32
    private let logger: Logger
    private var connection: DBusConnection?
    private var watching: [Task<Void, Never>] = []

    /// - Parameter ownProcess: The process whose players aren't read.
    package init(ownProcess: Int32 = ProcessInfo.processInfo.processIdentifier, logger: Logger) {
        self.ownProcess = ownProcess
        self.logger = logger
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func follow(_ isFollowed: Bool) async {
        guard isFollowed else {
            for task in watching { task.cancel() }
            watching = []
            let closed = connection.take()
            await closed?.close()
            return
        }
        guard connection == nil else { return }
        let opened = DBusConnection(loop: loop)
        connection = opened
        do throws(DBusError) {
            try await opened.openSessionBus()
            let signals = [
                try await opened.signals(
                    sender: Self.bus, interface: Self.bus, member: "NameOwnerChanged",
                    firstArgumentNamespace: PlayerObject.rootInterface),
                try await opened.signals(
                    path: PlayerObject.path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
                    firstArgument: PlayerObject.playerInterface),
            ]
            watching = signals.map { signals in
                Task { [change] in for await _ in signals { change.yield() } }
            }
        } catch {
            // There is none, so no player either; asked again when the next sink plays.
            logger.debug("The media players of the desktop cannot be seen", metadata: ["reason": "\(error)"])
        }
    }

    package func players() async -> [MediaPlayer] {
        guard let connection, !watching.isEmpty,
            let reply = try? await connection.call(
                Self.bus, path: "/org/freedesktop/DBus", interface: Self.bus, member: "ListNames",
                timeout: Self.patience)
        else { return [] }
        let names = (reply.first?.asArray ?? []).compactMap(\.asString).filter {
            $0.hasPrefix(PlayerObject.rootInterface + ".")
        }
        return await withTaskGroup { group in
            for name in names.sorted().prefix(Self.most) {
                group.addTask { [ownProcess] in await Self.read(name, on: connection, except: ownProcess) }
            }
            var players: [MediaPlayer] = []
            for await case let player? in group { players.append(player) }
            return players
        }
    }

    private static func read(_ name: String, on connection: DBusConnection, except own: Int32) async -> MediaPlayer? {
        guard
            let process = try? await connection.processID(of: name, timeout: patience), process != own,
            let properties = try? await connection.call(
                name, path: PlayerObject.path, interface: "org.freedesktop.DBus.Properties", member: "GetAll",
                [.string(PlayerObject.playerInterface)], timeout: patience
            ).first?.asDictionary
        else { return nil }
        return player(of: process, properties)
    }

    /// Returns a player by the properties of `org.mpris.MediaPlayer2.Player`.
    static func player(of process: Int32, _ properties: [String: DBusValue]) -> MediaPlayer {
        let metadata = properties["Metadata"]?.asDictionary ?? [:]
        let artists = (metadata["xesam:artist"]?.asArray ?? []).prefix(8).compactMap(\.asString)
        return MediaPlayer(
            processID: process, isPlaying: properties["PlaybackStatus"]?.asString == "Playing",
            title: text(metadata["xesam:title"]?.asString), artist: text(artists.joined(separator: ", ")),
            artworkURL: picture(metadata["mpris:artUrl"]?.asString))
    }

    /// Returns text on one line; `nil` for none.
    private static func text(_ text: String?) -> String? {
        let line = (text ?? "").prefix(longestText).split(whereSeparator: { $0.isNewline || $0.isWhitespace })
            .joined(separator: " ")
        let visible = line.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return visible.isEmpty ? nil : String(String.UnicodeScalarView(visible))
    }

    /// Returns the address of a picture that others can get. A file could be any that the daemon may read.
    private static func picture(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 2_000, let scheme = URL(string: text)?.scheme?.lowercased(),
            ["http", "https"].contains(scheme)
        else { return nil }
        return text
    }
}

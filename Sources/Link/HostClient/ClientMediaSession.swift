import DBus
package import HostInterface

/// A media session as a client sees it. The fields are those of `org.mdhost.MediaSession1`.
package struct ClientMediaSession: Codable, Sendable, Hashable, Identifiable {
    package var id: String
    /// The kind: `local` or `route`.
    package var kind: String
    package var application: String
    package var name: String
    /// The name on the session bus; `nil` if there is none.
    package var player: String?
    package var isApplicationPrimary: Bool
    package var isSystemPrimary: Bool
    /// The volume, `0.0...1.0`; `nil` if there is none.
    package var volume: Double?
    package var state: MediaSessionState
    package var lastError: HostError?

    package var path: String { HostNames.mediaSessionPath(id) }

    init?(_ values: [String: DBusValue]) {
        guard let id = values["Id"]?.asString else { return nil }
        self.id = id
        kind = values.string("Kind")
        application = values.string("Application")
        name = values.string("Name")
        let player = values.string("Player")
        self.player = player.isEmpty ? nil : player
        isApplicationPrimary = values.bool("IsApplicationPrimary")
        isSystemPrimary = values.bool("IsSystemPrimary")
        volume = values["Volume"]?.asDouble.flatMap { $0.isFinite && $0 >= 0 ? min(1, $0) : nil }
        state =
            values["State"].flatMap { try? DBusDictionaryDecoder().decode(MediaSessionState.self, from: $0) }
            ?? MediaSessionState()
        lastError = values.error("LastError")
    }
}

/// The primary media session and the settings. The fields are those of `org.mdhost.NowPlaying1`.
package struct ClientNowPlaying: Codable, Sendable, Hashable {
    /// The object path of the system primary session; `nil` if there is none.
    package var systemPrimary: String?
    package var pausesOthers: Bool
    /// The last accepted pushes that couldn't be applied, oldest first.
    package var pushFailures: [PushFailure]

    init(_ values: [String: DBusValue]) {
        let primary = values.string("SystemPrimary")
        systemPrimary = primary == "/" || primary.isEmpty ? nil : primary
        pausesOthers = values.bool("PausesOthers")
        pushFailures = (values["PushFailures"]?.asArray ?? []).compactMap { value in
            guard case .structure(let fields) = value, fields.count == 4, let time = fields[0].asDouble else {
                return nil
            }
            return PushFailure(
                time: time, identifier: fields[1].asString ?? "", application: fields[2].asString ?? "",
                message: fields[3].asString ?? "")
        }
    }
}

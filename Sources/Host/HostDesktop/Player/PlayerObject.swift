import DBus
import HostCore
import HostInterface

/// The two interfaces of a player on the session bus, as MPRIS 2.2 has them.
struct PlayerObject: Sendable {
    static let path = "/org/mpris/MediaPlayer2"
    static let rootInterface = "org.mpris.MediaPlayer2"
    static let playerInterface = "org.mpris.MediaPlayer2.Player"

    let state: PlayerState
    let nowPlaying: NowPlaying
    /// The name of the app's `.desktop` file without its extension; `nil` if it has none.
    let desktopEntry: String?

    // MARK: org.mpris.MediaPlayer2

    var root: (DBusInterface, [String: DBusValue]) {
        var properties = [
            DBusProperty("CanQuit", "b"), DBusProperty("CanRaise", "b"), DBusProperty("CanSetFullscreen", "b"),
            DBusProperty("HasTrackList", "b"), DBusProperty("Identity", "s"),
            DBusProperty("SupportedUriSchemes", "as"), DBusProperty("SupportedMimeTypes", "as"),
        ]
        var values: [String: DBusValue] = [
            "CanQuit": .boolean(false), "CanRaise": .boolean(false), "CanSetFullscreen": .boolean(false),
            "HasTrackList": .boolean(false), "Identity": .string(state.view.session.name),
            "SupportedUriSchemes": .strings([]), "SupportedMimeTypes": .strings([]),
        ]
        if let desktopEntry {
            properties.append(DBusProperty("DesktopEntry", "s"))
            values["DesktopEntry"] = .string(desktopEntry)
        }
        let refused = HostError(.notSupported, "The app itself is controlled in the app.").asDBusError
        let interface = DBusInterface(
            Self.rootInterface,
            methods: ["Raise", "Quit"].map { DBusMethod($0) { call in call.fail(refused) } }, properties: properties)
        return (interface, values)
    }

    // MARK: org.mpris.MediaPlayer2.Player

    var player: (DBusInterface, [String: DBusValue]) {
        var values = state.view.properties
        values["CanControl"] = .boolean(true)
        let interface = DBusInterface(
            Self.playerInterface, methods: methods, properties: properties,
            signals: [DBusSignalDeclaration("Seeked", [("Position", "x")])])
        return (interface, values)
    }

    private var methods: [DBusMethod] {
        [
            method("Play") { _ in .play }, method("Pause") { _ in .pause }, method("PlayPause") { _ in .playPause },
            method("Stop") { _ in .stop }, method("Next") { _ in .next }, method("Previous") { _ in .previous },
            method("Seek", in: [("Offset", "x")]) { arguments in
                arguments.first?.asInt64.map { .seek(by: Double($0) / 1e6) }
            },
            method("SetPosition", in: [("TrackId", "o"), ("Position", "x")]) { arguments in
                guard arguments.count == 2, let track = arguments[0].asString, let position = arguments[1].asInt64
                else { return nil }
                return .setPosition(Double(position) / 1e6, track: track)
            },
            DBusMethod("OpenUri", in: [("Uri", "s")]) { call in
                call.fail(HostError(.notSupported, "The player opens no addresses.").asDBusError)
            },
        ]
    }

    private var properties: [DBusProperty] {
        [
            DBusProperty("PlaybackStatus", "s"),
            writable("LoopStatus", "s") { $0.asString.map { .setLoopStatus($0) } },
            writable("Rate", "d") { $0.asDouble.flatMap { $0.isFinite ? .setRate($0) : nil } },
            writable("Shuffle", "b") { $0.asBool.map { .setShuffle($0) } },
            DBusProperty("Metadata", "a{sv}"),
            .async("Volume", "d") { [state, nowPlaying] call in
                let session = state.view.session
                guard let level = call.arguments.first?.asDouble, level.isFinite else { throw Self.badValue }
                guard session.volume != nil else {
                    throw HostError(.notSupported, "Its volume is set in the app.")
                }
                state.callBegan()
                defer { state.callAnswered() }
                try await nowPlaying.setVolume(level, session: session.id)
                return []
            },
            DBusProperty(
                "Position", "x", emits: .none,
                read: { [state] in
                    .int64(PlayerView.microseconds(state.position))
                }),
            DBusProperty("MinimumRate", "d"), DBusProperty("MaximumRate", "d"), DBusProperty("CanGoNext", "b"),
            DBusProperty("CanGoPrevious", "b"), DBusProperty("CanPlay", "b"), DBusProperty("CanPause", "b"),
            DBusProperty("CanSeek", "b"), DBusProperty("CanControl", "b", emits: .constant),
        ]
    }

    private static let badValue = HostError(.invalidArgument, "The value does not fit.")

    private func method(
        _ name: String, in arguments: [(name: String, signature: String)] = [],
        _ request: @escaping @Sendable ([DBusValue]) -> PlayerRequest?
    ) -> DBusMethod {
        DBusMethod(name, in: arguments) { [state, nowPlaying] call in
            // A command that ends the session ends the player, and still needs its answer.
            state.callBegan()
            Task {
                defer { state.callAnswered() }
                do throws(HostError) {
                    guard let request = request(call.arguments) else { throw Self.badValue }
                    let view = state.view
                    if let action = try request.action(view, position: state.position) {
                        try await nowPlaying.perform(action, session: view.session.id)
                    }
                    call.reply()
                } catch {
                    call.fail(error.asDBusError)
                }
            }
        }
    }

    /// A write is answered when the app or the device has carried it out, or with the reason why not. The property itself
    /// changes when its owner shows the new value.
    private func writable(
        _ name: String, _ signature: String, _ request: @escaping @Sendable (DBusValue) -> PlayerRequest?
    ) -> DBusProperty {
        .async(name, signature) { [state, nowPlaying] call in
            guard let request = call.arguments.first.flatMap(request) else { throw Self.badValue }
            let view = state.view
            guard let action = try request.action(view, position: state.position) else { return [] }
            state.callBegan()
            defer { state.callAnswered() }
            try await nowPlaying.perform(action, session: view.session.id)
            return []
        }
    }
}

import DBus
package import HostCore
package import HostInterface

/// A session's pictures as files other programs can read.
package protocol ArtworkFiles: Sendable {
    /// Returns a session's picture as a file.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Returns: The absolute path of the file, and its MIME type.
    /// - Throws: ``HostError`` `not-supported` if there is no picture.
    func picture(of session: NowPlayingSession, width: Double, height: Double) async throws -> (
        path: String, mediaType: String
    )

    /// Returns a session's picture as pixels.
    ///
    /// - Parameter side: The side of the square that it is fitted into, in pixels.
    /// - Throws: ``HostError`` `not-supported` if there is no picture, `unsupported-format` if it can't be decoded.
    func pixels(of session: NowPlayingSession, side: Int) async throws -> PixelPicture
}

/// The `org.mdhost.MediaSession1` interface of a media session.
struct MediaSessionObject: Sendable {
    let id: String
    let nowPlaying: NowPlaying
    let registry: NowPlayingObject
    let artwork: any ArtworkFiles

    var interface: DBusInterface {
        DBusInterface(
            HostNames.mediaInterface, methods: ownerMethods + commands + pictures, properties: Self.properties)
    }

    /// Handlers of their own, without a task: updates are taken in the order they were sent.
    private var ownerMethods: [DBusMethod] {
        [
            DBusMethod("Update", in: [("state", "a{sv}")]) { call in
                answer(call) {
                    try registry.own(id, call.client)
                    guard let value = call.arguments.first else { throw HostError.badArguments }
                    nowPlaying.update(id, try NowPlayingObject.decode(value))
                }
            },
            DBusMethod("Withdraw") { call in
                answer(call) {
                    try registry.own(id, call.client)
                    registry.withdraw(id)
                }
            },
            .async("RequestApplicationPrimary") { call in
                try registry.own(id, call.client)
                try await nowPlaying.claimApplication(id)
                return []
            },
            .async("RequestSystemPrimary") { call in
                try registry.own(id, call.client)
                try await registry.claimSystem(id, call.client)
                return []
            },
        ]
    }

    private func answer(_ call: DBusMethodCall, _ body: () throws -> Void) {
        do {
            try body()
            call.reply()
        } catch {
            call.fail((error as? any DBusErrorConvertible)?.asDBusError ?? HostError.badArguments.asDBusError)
        }
    }

    private var commands: [DBusMethod] {
        [
            .async("Perform", in: [("action", "a{sv}")]) { call in
                guard let value = call.arguments.first else { throw HostError.badArguments }
                let action = try DBusDictionaryDecoder().decode(MediaAction.self, from: value)
                try await nowPlaying.perform(action, session: id)
                return []
            },
            .async("SetVolume", in: [("level", "d")]) { call in
                guard let level = call.arguments.first?.asDouble else { throw HostError.badArguments }
                try await nowPlaying.setVolume(level, session: id)
                return []
            },
            .async("SetDeviceVolume", in: [("device", "s"), ("level", "d")]) { call in
                guard let device = call.arguments.first?.asString, let level = call.arguments.last?.asDouble else {
                    throw HostError.badArguments
                }
                try await nowPlaying.setVolume(level, device: device, session: id)
                return []
            },
            .async("StepDeviceVolume", in: [("device", "s"), ("steps", "i")]) { call in
                guard let device = call.arguments.first?.asString, let steps = call.arguments.last?.asInt64,
                    let steps = Int32(exactly: steps)
                else { throw HostError.badArguments }
                try await nowPlaying.stepVolume(steps, device: device, session: id)
                return []
            },
        ]
    }

    private var pictures: [DBusMethod] {
        [
            .async("Artwork", in: [("width", "d"), ("height", "d")], out: [("path", "s"), ("mediaType", "s")]) { call in
                let session = try await nowPlaying.session(id)
                let (path, mediaType) = try await artwork.picture(
                    of: session, width: call.arguments.first?.asDouble ?? 0,
                    height: call.arguments.last?.asDouble ?? 0)
                return [.string(path), .string(mediaType)]
            },
            .async(
                "ArtworkPixels", in: [("side", "u")], out: [("width", "u"), ("height", "u"), ("pixels", "ay")]
            ) { call in
                guard let side = call.arguments.first?.asInt64, (1...Int64(PixelPicture.greatestSide)).contains(side)
                else { throw HostError.badArguments }
                let picture = try await artwork.pixels(of: try await nowPlaying.session(id), side: Int(side))
                return [.uint32(UInt32(picture.width)), .uint32(UInt32(picture.height)), .bytes(picture.bytes)]
            },
            .async(
                "AnimatedArtwork", in: [("aspectRatio", "s"), ("width", "d"), ("height", "d")],
                out: [("preview", "ay"), ("video", "s")]
            ) { call in
                guard call.arguments.count == 3, let ratio = call.arguments[0].asString else {
                    throw HostError.badArguments
                }
                let (preview, video) = try await nowPlaying.animatedArtwork(
                    session: id, aspectRatio: ratio, width: call.arguments[1].asDouble ?? 0,
                    height: call.arguments[2].asDouble ?? 0)
                return [.bytes(preview), .string(video)]
            },
        ]
    }

    private static let properties: [DBusProperty] = [
        DBusProperty("Id", "s", emits: .constant), DBusProperty("Kind", "s", emits: .constant),
        DBusProperty("Application", "s", emits: .constant), DBusProperty("Name", "s"), DBusProperty("Player", "s"),
        DBusProperty("IsApplicationPrimary", "b"), DBusProperty("IsSystemPrimary", "b"), DBusProperty("Volume", "d"),
        DBusProperty("State", "a{sv}"), DBusProperty("LastError", "(ss)"),
    ]

    static func values(_ session: NowPlayingSession) -> [String: DBusValue] {
        [
            "Id": .string(session.id), "Kind": .string(session.kind.rawValue),
            "Application": .string(session.application), "Name": .string(session.name),
            "Player": .string(session.state.content == nil ? "" : session.playerName),
            "IsApplicationPrimary": .boolean(session.isApplicationPrimary),
            "IsSystemPrimary": .boolean(session.isSystemPrimary), "Volume": .double(session.volume ?? -1),
            // Made of plain values, so encoding it cannot fail.
            "State": (try? DBusDictionaryEncoder().encode(session.state)) ?? .properties([:]),
            "LastError": .error(session.lastError),
        ]
    }
}

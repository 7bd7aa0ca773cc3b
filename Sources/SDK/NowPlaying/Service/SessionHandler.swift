import DBus
import Foundation
import HostInterface

/// The `org.mdhost.MediaSessionHandler1` interface, which the daemon calls on a session.
struct SessionHandler: Sendable {
    let link: SessionLink

    init(_ link: SessionLink) { self.link = link }

    var interface: DBusInterface {
        DBusInterface(
            HostNames.mediaHandlerInterface,
            methods: [
                ordered("Perform", in: [("action", "a{sv}")]) { target, arguments in
                    guard let value = arguments.first else { throw HostError(.invalidArgument, "No action.") }
                    try await target.perform(try DBusDictionaryDecoder().decode(MediaAction.self, from: value))
                    return []
                },
                ordered("SetRoles", in: [("isApplicationPrimary", "b"), ("isSystemPrimary", "b")]) {
                    target, arguments in
                    target.setRoles(
                        isApplicationPrimary: arguments.first?.asBool ?? false,
                        isSystemPrimary: arguments.last?.asBool ?? false)
                    return []
                },
                ordered("SetDeviceVolume", in: [("device", "s"), ("level", "d")]) { target, arguments in
                    guard let level = arguments.last?.asDouble, level.isFinite else {
                        throw HostError(.invalidArgument, "No level.")
                    }
                    try await target.device(arguments.first?.asString).setVolume(Float(min(1, max(0, level))))
                    return []
                },
                ordered("StepDeviceVolume", in: [("device", "s"), ("steps", "i")]) { target, arguments in
                    guard let steps = arguments.last?.asInt64, abs(steps) <= 100 else {
                        throw HostError(.invalidArgument, "No number of steps.")
                    }
                    try await target.device(arguments.first?.asString).stepVolume(Int(steps))
                    return []
                },
                .async(
                    "Artwork", in: [("identifier", "s"), ("width", "d"), ("height", "d")], out: [("data", "ay")]
                ) { call in
                    [.bytes([UInt8](try await artwork(call.arguments)))]
                },
                .async(
                    "AnimatedArtwork",
                    in: [("identifier", "s"), ("aspectRatio", "s"), ("width", "d"), ("height", "d")],
                    out: [("preview", "ay"), ("video", "s")]
                ) { call in
                    let (preview, video) = try await animatedArtwork(call.arguments)
                    return [.bytes([UInt8](preview)), .string(video.absoluteString)]
                },
            ])
    }

    /// Returns a method that runs on the main actor. Calls begin in their order of arrival.
    private func ordered(
        _ name: String, in arguments: [(name: String, signature: String)],
        _ body: @escaping @MainActor @Sendable (any SessionTarget, [DBusValue]) async throws -> [DBusValue]
    ) -> DBusMethod {
        DBusMethod(name, in: arguments) { [link] call in
            Task { @MainActor in
                do {
                    guard let target = link.currentTarget else { throw Self.gone }
                    call.reply(try await body(target, call.arguments))
                } catch {
                    call.fail(Self.hostError(error).asDBusError)
                }
            }
        }
    }

    private func artwork(_ arguments: [DBusValue]) async throws -> Data {
        guard let target = link.currentTarget, let id = arguments.first?.asString,
            let artwork = await target.artwork(id)
        else { throw Self.gone }
        do {
            return try await artwork.provider(Self.size(arguments.dropFirst())).data
        } catch {
            throw Self.hostError(error)
        }
    }

    private func animatedArtwork(_ arguments: [DBusValue]) async throws -> (Data, URL) {
        guard let target = link.currentTarget, arguments.count == 4, let id = arguments[0].asString,
            let ratio = arguments[1].asString.flatMap({ AnimatedArtwork.AspectRatio(word: $0) }),
            let artwork = await target.animatedArtwork(id), artwork.supportedAspectRatios.contains(ratio)
        else { throw Self.gone }
        let size = Self.size(arguments.dropFirst(2))
        do {
            return (try await artwork.preview(size, ratio).data, try await artwork.video(size, ratio))
        } catch {
            throw Self.hostError(error)
        }
    }

    /// Returns a size in pixels. An invalid side means the largest size.
    private static func size(_ arguments: ArraySlice<DBusValue>) -> CGSize {
        let sides = arguments.map { side in
            side.asDouble.flatMap { $0.isFinite && $0 > 0 ? $0 : nil } ?? .greatestFiniteMagnitude
        }
        return CGSize(width: sides.first ?? .greatestFiniteMagnitude, height: sides.last ?? .greatestFiniteMagnitude)
    }

    private static let gone = HostError(.noSuchSession, "The app no longer shows this session.")

    /// Returns an error of the app as one that can cross the link, with its own text.
    static func hostError(_ error: any Error) -> HostError {
        if let error = error as? HostError { return error }
        let words = (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
        return HostError(.commandFailed, words)
    }
}

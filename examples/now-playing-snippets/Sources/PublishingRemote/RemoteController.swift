import Foundation
import NowPlaying
import Observation
import RemoteAttributes

/// The app's side of sessions that play elsewhere.
@MainActor
@Observable
public final class RemoteController {
    public private(set) var session: RemoteMediaSession<SpeakerAttributes>?
    public private(set) var message = ""
    /// In hexadecimal digits, as servers take it.
    public private(set) var startToken: String?

    public init() {}

    public func begin(_ attributes: SpeakerAttributes) async {
        do {
            session = try await RemoteMediaSession.start(attributes: attributes)
            try await session?.requestToBecomeSystemPrimary()
            message = session?.isSystemPrimary == true ? "In front." : "Not in front."
        } catch {
            message = "It is not shown: \(error)"
        }
    }

    public func change(_ attributes: SpeakerAttributes) async {
        do {
            try await session?.update(attributes)
            message = ""
        } catch RemoteMediaSessionError.invalidAttributes {
            message = "Those are of another session."
        } catch RemoteMediaSessionError.internalFailure {
            message = "It was not delivered."
        } catch {
            message = "It cannot be encoded: \(error)"
        }
    }

    /// After the app was started again.
    public func adopt() async throws {
        session = try await RemoteMediaSession<SpeakerAttributes>.sessions().first
    }

    public func end() async throws {
        try await session?.end()
        session = nil
    }

    /// Hands the server each token by which it may start sessions, for as long as the task runs.
    public func sendTokens(_ send: (String) async -> Void) async {
        if let token = RemoteMediaSession<SpeakerAttributes>.pushToStartToken { startToken = token.hexadecimal }
        for await token in RemoteMediaSession<SpeakerAttributes>.pushToStartTokenUpdates {
            startToken = token.hexadecimal
            await send(token.hexadecimal)
        }
    }
}

extension Data {
    var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}

import Foundation
import NowPlaying
import Observation

/// The attributes that the extension in `RemoteSessionExtension` reads.
struct RemoteAttributes: RemoteMediaSessionAttributes {
    var id: String
    var title: String
    var isPlaying = false
    var position = 0.0
    var since: Date?
    var levels: [Float] = []
    var picture: String?
}

/// The remote sessions of `PublishingApp`, controlled by lines: `start ID TITLE`, `play ID TITLE`, `devices ID TITLE`,
/// `end ID`, `list`, `claim ID`, `token`.
@MainActor
final class RemoteSessions {
    private var sessions: [String: RemoteMediaSession<RemoteAttributes>] = [:]

    func change(_ words: [String]) async {
        let id = words.count > 1 ? words[1] : ""
        var attributes = RemoteAttributes(id: id, title: words.dropFirst(2).joined(separator: " "))
        do {
            switch words[0] {
            case "start":
                let session = try await RemoteMediaSession.start(attributes: attributes)
                sessions[id] = session
                follow(session)
            case "update": try await sessions[id]?.update(attributes)
            case "play":
                attributes.isPlaying = true
                attributes.position = 60
                attributes.since = Date()
                try await sessions[id]?.update(attributes)
            case "devices":
                attributes.levels = [0.8, 0.4]
                try await sessions[id]?.update(attributes)
            case "steps":
                attributes.levels = [-1]
                try await sessions[id]?.update(attributes)
            case "picture":
                attributes.picture = "cover-1"
                try await sessions[id]?.update(attributes)
            case "foreign":
                attributes.id = "other"
                try await sessions[id]?.update(attributes)
            case "end": try await sessions[id]?.end()
            case "list":
                for session in try await RemoteMediaSession<RemoteAttributes>.sessions() {
                    print("remote has \(session.id)")
                    sessions[session.id] = session
                }
            case "claim": try await sessions[id]?.requestToBecomeSystemPrimary()
            case "token":
                for await token in RemoteMediaSession<RemoteAttributes>.pushToStartTokenUpdates {
                    print("remote token \(token.map { String(format: "%02x", $0) }.joined())")
                }
            default: print("remote unknown \(words[0])")
            }
            print("remote did \(words[0])")
        } catch {
            print("remote failed \(words[0]) \(error)")
        }
    }

    private func follow(_ session: RemoteMediaSession<RemoteAttributes>) {
        let isPrimary = withObservationTracking {
            session.isSystemPrimary
        } onChange: {
            Task { @MainActor in self.follow(session) }
        }
        print("remote primary \(session.id) \(isPrimary)")
    }
}

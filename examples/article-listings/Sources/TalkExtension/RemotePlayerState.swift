import Foundation
import NowPlaying

/// The talk's server state, "which conforms to RemoteMediaSessionAttributes".
struct RemotePlayerState: RemoteMediaSessionAttributes {
    struct Sound: Codable {
        var id: String
        var name: String
        var description: String
    }

    struct Device: Codable {
        var id: String
        var name: String
        var volume: Float
    }

    var sessionID: String
    var sound: Sound
    var isPlaying: Bool
    var devices: [Device]
    var id: String { sessionID }
}

import Foundation

/// What the article's payloads say of a song.
struct TrackInfo: Codable, Sendable {
    var id: String
    var title: String
    var artist: String
    var album: String
    var duration: TimeInterval
    var artworkURL: URL
    var isExplicit: Bool?
    var artworkID: String { artworkURL.absoluteString }
}

/// What they say of a speaker.
struct DeviceInfo: Codable, Sendable {
    var id: String
    var name: String
    var volume: Float
}

/// The app's server, here a record of what it was asked.
actor MyAPIClient {
    enum Command: Equatable, Sendable {
        case play, pause, next, previous
        case seek(to: TimeInterval)
    }

    private(set) var commands: [Command] = []
    private(set) var levels: [String: Float] = [:]
    private(set) var startTokens: [String] = []
    private(set) var updateTokens: [String: String] = [:]

    func sendCommand(_ command: Command) throws { commands.append(command) }
    func setVolume(_ level: Float, forDevice device: String) throws { levels[device] = level }
    func registerStartToken(_ token: String) throws { startTokens.append(token) }
    func registerUpdateToken(_ token: String, forSessionID session: String) throws { updateTokens[session] = token }
}

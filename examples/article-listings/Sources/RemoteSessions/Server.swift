import Foundation

/// A song in the article's payloads.
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

/// A speaker in the article's payloads.
struct DeviceInfo: Codable, Sendable {
    var id: String
    var name: String
    var volume: Float
}

/// The app's server, here a record of its requests.
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

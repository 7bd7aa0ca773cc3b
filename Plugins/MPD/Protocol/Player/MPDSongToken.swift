public import Foundation

/// The data to recognize a song of ours on a server later: its number there, which lasts until the server restarts.
public struct MPDSongToken: Codable, Sendable, Hashable {
    public let song: Int
    /// Seconds since 1970 at which the server was started; `nil` if it doesn't report it.
    public let serverStart: Double?

    public init(song: Int, serverStart: Double?) {
        self.song = song
        self.serverStart = serverStart
    }

    /// Reads the output of ``data``; `nil` for any other data.
    public init?(_ data: Data) {
        guard let token = try? JSONDecoder().decode(MPDSongToken.self, from: data) else { return nil }
        self = token
    }

    public var data: Data? { try? JSONEncoder().encode(self) }

    /// Returns a Boolean value that indicates whether the server has run since: its number still means the
    /// same song. Uptimes are whole seconds.
    public func isOf(serverStart: Double?) -> Bool {
        guard let earlier = self.serverStart, let serverStart else { return true }
        return abs(earlier - serverStart) < 2
    }
}

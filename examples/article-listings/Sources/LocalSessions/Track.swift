import Foundation

/// The tracks of the article's player.
struct Track: Sendable {
    var id: String
    var title: String
    var artist: String
    var album: String
    var duration: TimeInterval
    var artworkID: String
    var artworkURL: URL
}

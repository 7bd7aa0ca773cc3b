import Foundation
import Observation

struct Sound: Sendable {
    var id: String
    var name: String
    var description: String
}

/// The player of the talk's app.
@Observable
final class SoundPlayer {
    static let sounds = [
        Sound(id: "rain", name: "Rain", description: "On a roof"),
        Sound(id: "sea", name: "Sea", description: "At night"),
    ]
    private(set) var isPlaying = false
    private var index = 0
    var currentSound: Sound { Self.sounds[index] }

    func play() { isPlaying = true }
    func pause() { isPlaying = false }
    func next() { index = (index + 1) % Self.sounds.count }
    func previous() { index = (index + Self.sounds.count - 1) % Self.sounds.count }
}

extension PlayerModel {
    func artworkData(size: CGSize) async throws -> Data { Data([0xFF, 0xD8, 0xFF]) }
}

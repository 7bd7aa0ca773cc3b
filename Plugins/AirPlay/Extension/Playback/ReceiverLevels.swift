import Foundation
import MediaDevice
import StoredValues

/// The levels of receivers, for their next playback. Those that were requested and not sent yet outlive the process.
@MainActor
final class ReceiverLevels {
    private static let limit = 256
    private var levels: [MediaOutputDevice.ID: ReceiverLevel] = [:]
    private let file: StoredValue<[String: ReceiverLevel]>

    /// - Parameter folder: The extension's own folder; `nil` to store nothing.
    init(folder: URL?) {
        file = StoredValue([:], folder: folder, name: "levels.json", log: log)
        for (id, level) in file.value where level.isAwaited && level.isValid {
            if let id = UUID(uuidString: id), levels.count < Self.limit { levels[id] = level }
        }
    }

    func level(of id: MediaOutputDevice.ID) -> ReceiverLevel { levels[id] ?? ReceiverLevel() }

    func set(_ level: ReceiverLevel, of id: MediaOutputDevice.ID) {
        if levels[id] == nil, levels.count >= Self.limit {
            let dispensable = levels.first { !$0.value.isAwaited } ?? levels.first
            if let dispensable { levels[dispensable.key] = nil }
        }
        levels[id] = level
        let awaited = levels.filter(\.value.isAwaited).map { ($0.key.uuidString, $0.value) }
        file.store(Dictionary(uniqueKeysWithValues: awaited))
    }
}

import HostInterface

/// What people asked of a device while nobody could tell it: kept in order until it can be told.
///
/// Only what may be said twice is kept, as the device may have heard it before its extension died: a place to move to, a
/// level, pause or play; not a step or a toggle. Of one kind only the latest is told, as with a slider.
package struct WishQueue: Sendable, Hashable {
    package enum Wish: Sendable, Hashable {
        case playback(PlaybackCommand)
        /// `0.0...1.0`
        case level(Double)

        package var canBeRepeated: Bool {
            guard case .playback(let command) = self else { return true }
            switch command.kind {
            case .setPlaying, .seek, .setVolume, .setMuted, .setPlaybackSpeed, .selectAudio, .selectAudioDescription,
                .selectLegible:
                return true
            // A gesture that is over by the time the device is back.
            case .setScanSpeed, .setMode: return false
            }
        }

        fileprivate func isSuperseded(by other: Wish) -> Bool {
            switch (self, other) {
            case (.playback(let one), .playback(let other)): one.kind == other.kind
            case (.level, .level): true
            default: false
            }
        }
    }

    package struct Entry: Sendable, Hashable {
        package let wish: Wish
        /// Of everybody who gets its outcome: who asked for it and whom it superseded.
        package fileprivate(set) var tickets: [Int]
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    package mutating func add(_ wish: Wish, ticket: Int) {
        var entry = Entry(wish: wish, tickets: [ticket])
        if let index = entries.firstIndex(where: { $0.wish.isSuperseded(by: wish) }) {
            entry.tickets = entries.remove(at: index).tickets + entry.tickets
        }
        entries.append(entry)
    }

    /// Adds what was asked of another device that played the same.
    mutating func add(_ other: WishQueue) {
        for entry in other.entries {
            add(entry.wish, ticket: entry.tickets[0])
            entries[entries.count - 1].tickets += entry.tickets.dropFirst()
        }
    }

    /// Takes out what concerns playback and not the device: it goes where playback goes.
    mutating func takePlayback() -> WishQueue {
        var taken = WishQueue()
        taken.entries = entries.filter { if case .playback = $0.wish { true } else { false } }
        entries.removeAll { if case .playback = $0.wish { true } else { false } }
        return taken
    }

    /// Who asked does not wait any more; what nobody waits for is not told.
    package mutating func remove(ticket: Int) {
        for index in entries.indices { entries[index].tickets.removeAll { $0 == ticket } }
        entries.removeAll(where: \.tickets.isEmpty)
    }
}

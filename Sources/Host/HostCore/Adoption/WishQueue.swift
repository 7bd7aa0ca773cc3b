package import HostInterface

/// The requests to a device that can't be reached, in order.
///
/// It keeps only requests that may be repeated, because the device may have received them before: a position, a volume,
/// pause or play, but not a step or a toggle. Of each kind only the latest is performed.
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
            // The gesture has ended by the time the device is back.
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
        /// The callers that get the result, including those whose request was superseded.
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

    /// Adds the requests to another device with the same playback.
    mutating func add(_ other: WishQueue) {
        for entry in other.entries {
            add(entry.wish, ticket: entry.tickets[0])
            entries[entries.count - 1].tickets += entry.tickets.dropFirst()
        }
    }

    /// Removes and returns the requests about playback, which another device takes over.
    mutating func takePlayback() -> WishQueue {
        var taken = WishQueue()
        taken.entries = entries.filter { if case .playback = $0.wish { true } else { false } }
        entries.removeAll { if case .playback = $0.wish { true } else { false } }
        return taken
    }

    /// Removes a caller that no longer waits, and requests without callers.
    package mutating func remove(ticket: Int) {
        for index in entries.indices { entries[index].tickets.removeAll { $0 == ticket } }
        entries.removeAll(where: \.tickets.isEmpty)
    }
}

/// The last packets sent, for requests to resend them.
struct PacketHistory: Sendable {
    struct Entry: Sendable, Hashable {
        let sequenceNumber: UInt16
        /// Frames since the stream began, not wrapped.
        let frame: Int64
        let encoded: [UInt8]
    }

    private var entries: [Entry?]
    private var last: Int?

    /// - Parameter capacity: Packets; 125 are a second.
    init(capacity: Int) { entries = Array(repeating: nil, count: max(1, capacity)) }

    mutating func append(_ entry: Entry) {
        let slot = last.map { ($0 + 1) % entries.count } ?? 0
        entries[slot] = entry
        last = slot
    }

    /// The entry of a packet; `nil` if it was never sent, or too long ago.
    subscript(sequenceNumber: UInt16) -> Entry? {
        guard let last, let newest = entries[last] else { return nil }
        let age = Int(newest.sequenceNumber &- sequenceNumber)
        guard age < entries.count else { return nil }
        let entry = entries[(last - age + entries.count) % entries.count]
        return entry?.sequenceNumber == sequenceNumber ? entry : nil
    }

    /// Returns the entries with `frame` or later frames, oldest first.
    func entries(from frame: Int64) -> [Entry] {
        entries.compactMap { $0 }.filter { $0.frame + Int64(LosslessFrame.frameCount) > frame }
            .sorted { $0.frame < $1.frame }
    }

    mutating func removeAll() {
        entries = Array(repeating: nil, count: entries.count)
        last = nil
    }
}

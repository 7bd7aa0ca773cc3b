import HostInterface
/// Devices that were found and aren't stored yet. Those that arrive during a write wait for the next, so that a burst
/// causes few writes.
struct SightingQueue {
    private var waiting: [CachedDevice] = []
    private var stored = StoredSightings()
    private(set) var writing: Task<Void, Never>?

    var count: Int { waiting.count }

    /// - Parameter begin: A function that starts the writes; it isn't called while they run.
    mutating func append(_ sighting: CachedDevice, _ begin: () -> Task<Void, Never>) {
        waiting.append(sighting)
        if writing == nil { writing = begin() }
    }

    /// Returns what waits; empty at the end of the writes.
    mutating func next() -> [CachedDevice] {
        if waiting.isEmpty { writing = nil }
        defer { waiting = [] }
        return waiting
    }

    /// Returns those of a batch that the store doesn't have.
    mutating func fresh(_ batch: [CachedDevice], on network: String) -> [CachedDevice] {
        stored.take(batch, on: network)
    }

    mutating func forget(_ id: String) {
        waiting.removeAll { $0.description.id == id }
        stored.forgetAll()
    }

    /// The store may have lost any of them.
    mutating func forgetStored() { stored.forgetAll() }
}

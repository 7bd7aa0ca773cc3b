import HostInterface
/// The stored sightings of devices, so that a device that appears and disappears isn't written each time.
///
/// They are hash values. A collision delays the storage of a device by up to an hour.
struct StoredSightings: Sendable {
    private static let limit = 20_000
    /// The interval in which the time of the last sighting is stored.
    private static let validity = Duration.seconds(3600)

    /// The hash of each sighting's place and device, with that of its content.
    private var stored: [Int: Int] = [:]
    private var began: ContinuousClock.Instant?

    /// Returns the sightings to store, each once, and records them as stored.
    mutating func take(
        _ sightings: [CachedDevice], on network: String, now: ContinuousClock.Instant = .now
    ) -> [CachedDevice] {
        if stored.count >= Self.limit || began.map({ now - $0 > Self.validity }) ?? true {
            stored = [:]
            began = now
        }
        // If there are several sightings of a device, the last counts.
        let last = Dictionary(sightings.map { ($0.description.id, $0) }, uniquingKeysWith: { $1 })
        return last.values.filter { sighting in
            let content = Self.hash(sighting.description, sighting.extensionIdentifier)
            return stored.updateValue(content, forKey: Self.hash(network, sighting.description.id)) != content
        }
    }

    /// Discards all records.
    mutating func forgetAll() { stored = [:] }

    private static func hash(_ first: some Hashable, _ second: some Hashable) -> Int {
        var hasher = Hasher()
        hasher.combine(first)
        hasher.combine(second)
        return hasher.finalize()
    }
}

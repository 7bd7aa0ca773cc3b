/// What of devices is stored already, so that one that comes and goes all the time is not written all the time.
///
/// By hash values: two that meet cost a memory of a device, until it is seen an hour later.
struct StoredSightings: Sendable {
    private static let limit = 20_000
    /// When they were last seen is stored this often.
    private static let validity = Duration.seconds(3600)

    /// Of where and which device it is, to what was stored of it.
    private var stored: [Int: Int] = [:]
    private var began: ContinuousClock.Instant?

    /// Those that are to be stored, each once; from now on they count as stored.
    mutating func take(
        _ sightings: [CachedDevice], on network: String, now: ContinuousClock.Instant = .now
    ) -> [CachedDevice] {
        if stored.count >= Self.limit || began.map({ now - $0 > Self.validity }) ?? true {
            stored = [:]
            began = now
        }
        // Of several sightings of one the last counts.
        let last = Dictionary(sightings.map { ($0.description.id, $0) }, uniquingKeysWith: { $1 })
        return last.values.filter { sighting in
            let content = Self.hash(sighting.description, sighting.extensionIdentifier)
            return stored.updateValue(content, forKey: Self.hash(network, sighting.description.id)) != content
        }
    }

    /// Nothing counts as stored any more.
    mutating func forgetAll() { stored = [:] }

    private static func hash(_ first: some Hashable, _ second: some Hashable) -> Int {
        var hasher = Hasher()
        hasher.combine(first)
        hasher.combine(second)
        return hasher.finalize()
    }
}

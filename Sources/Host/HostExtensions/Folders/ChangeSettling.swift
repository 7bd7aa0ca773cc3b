/// When to search the folders again after something changed in them; a value without I/O.
///
/// A bundle is copied file by file. So a search waits until nothing has changed for a moment, and what such a search finds
/// broken counts only if it stays so.
struct ChangeSettling: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    struct Policy: Sendable, Hashable {
        /// How long nothing must change before a search.
        var quiet: Duration = .milliseconds(300)
        /// A search is made after this long at the latest, however much changes.
        var longest: Duration = .seconds(3)
        /// How long a bundle that cannot be used must stay as it is before that is told.
        var patience: Duration = .seconds(2)
    }

    private let policy: Policy
    private var firstChange: Instant?
    private var lastChange: Instant?
    /// When what is in doubt counts.
    private var doubtUntil: Instant?

    init(policy: Policy = Policy()) { self.policy = policy }

    mutating func changed(at now: Instant) {
        firstChange = firstChange ?? now
        lastChange = now
        if doubtUntil != nil { doubtUntil = now + policy.patience }
    }

    /// Whether something changed since the last search.
    var isUnsettled: Bool { firstChange != nil }

    /// When to search; `nil` while nothing is due.
    var deadline: Instant? {
        guard let firstChange, let lastChange else { return doubtUntil }
        return min(lastChange + policy.quiet, firstChange + policy.longest)
    }

    /// A search was made.
    ///
    /// - Parameter isDoubtful: Whether it found something broken that was not told yet.
    /// - Returns: Whether that counts now; otherwise it is looked at again.
    mutating func searched(isDoubtful: Bool, at now: Instant) -> Bool {
        let isConfirmation = firstChange == nil && doubtUntil.map { now >= $0 } == true
        firstChange = nil
        lastChange = nil
        guard isDoubtful, !isConfirmation else {
            doubtUntil = nil
            return true
        }
        doubtUntil = doubtUntil ?? now + policy.patience
        return false
    }
}

extension ExtensionCatalog {
    /// This search result without what may be a copy under way: bundles that cannot be used and were not told as such
    /// before are left out, or stay as they were.
    ///
    /// - Returns: `nil` where nothing is in doubt.
    func withoutDoubtful(since before: ExtensionCatalog) -> ExtensionCatalog? {
        let known = Set(before.invalid.map(\.path))
        let doubtful = Set(invalid.map(\.path)).subtracting(known)
        guard !doubtful.isEmpty else { return nil }
        var result = ExtensionCatalog(manifests: manifests, invalid: invalid.filter { !doubtful.contains($0.path) })
        for path in doubtful where before.manifests.contains(where: { $0.bundlePath == path }) {
            result = result.replacing(path, from: before)
        }
        return result
    }
}

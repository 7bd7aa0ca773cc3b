/// Decides when to search the folders again after a change, as a value without I/O.
///
/// A bundle is copied file by file. So a search waits until nothing has changed for a moment, and an invalid bundle
/// counts only if it stays invalid.
struct ChangeSettling: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    struct Policy: Sendable, Hashable {
        /// The time without changes before a search.
        var quiet: Duration = .milliseconds(300)
        /// A search is made after this long at the latest, however much changes.
        var longest: Duration = .seconds(3)
        /// The time for which an invalid bundle must stay unchanged before it is reported.
        var patience: Duration = .seconds(2)
    }

    private let policy: Policy
    private var firstChange: Instant?
    private var lastChange: Instant?
    /// The time at which uncertain results count.
    private var doubtUntil: Instant?

    init(policy: Policy = Policy()) { self.policy = policy }

    mutating func changed(at now: Instant) {
        firstChange = firstChange ?? now
        lastChange = now
        if doubtUntil != nil { doubtUntil = now + policy.patience }
    }

    /// A Boolean value that indicates whether something changed since the last search.
    var isUnsettled: Bool { firstChange != nil }

    /// The time of the next search; `nil` if none is due.
    var deadline: Instant? {
        guard let firstChange, let lastChange else { return doubtUntil }
        return min(lastChange + policy.quiet, firstChange + policy.longest)
    }

    /// Records a search.
    ///
    /// - Parameter isDoubtful: Whether it found an invalid bundle that wasn't reported yet.
    /// - Returns: Whether the result counts. Otherwise, another search follows.
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
    /// Returns this result without bundles that may still be copied: those that are invalid, and weren't reported
    /// before, are omitted or stay as they were.
    ///
    /// - Returns: The result; `nil` if nothing is uncertain.
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

import Synchronization

/// Remembers what was logged, so that a page that tries again and again fills no log.
final class RefusalOnce: Sendable {
    private static let most = 64
    private let known = Mutex<Set<String>>([])

    /// Returns whether a refusal is to be logged.
    func isNew(_ refusal: String) -> Bool {
        known.withLock { known in
            guard known.count < Self.most else { return false }
            return known.insert(refusal).inserted
        }
    }
}

import Synchronization

/// A counter of this process's sessions. An app with sessions counts as active.
package enum LivingSessions {
    private static let number = Atomic(0)

    static func add() { number.add(1, ordering: .relaxed) }
    static func remove() { number.subtract(1, ordering: .relaxed) }

    /// The number of local and remote sessions.
    package static var count: Int { number.load(ordering: .relaxed) }
}

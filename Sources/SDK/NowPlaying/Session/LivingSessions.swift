import Synchronization

/// How many sessions this process holds: what makes an app active here.
package enum LivingSessions {
    private static let number = Atomic(0)

    static func add() { number.add(1, ordering: .relaxed) }
    static func remove() { number.subtract(1, ordering: .relaxed) }

    /// Local and remote ones.
    package static var count: Int { number.load(ordering: .relaxed) }
}

/// The requests that a device hasn't received yet, in order.
///
/// Only the latest request of a kind waits, because a slider makes many requests while the device answers one. Without
/// a connection requests wait for ``patience``; after that a person no longer expects them.
struct WishQueue {
    static let patience = Duration.seconds(60)

    private(set) var waiting: [PlayerWish] = []

    var isEmpty: Bool { waiting.isEmpty }

    func contains(_ kind: PlayerWish.Kind) -> Bool { waiting.contains { $0.kind == kind } }

    mutating func add(_ wish: PlayerWish) {
        var wish = wish
        if case .changeVolume(let steps) = wish,
            case .changeVolume(let others)? = waiting.first(where: { $0.kind == .volumeSteps })
        {
            wish = .changeVolume(max(-100, min(100, steps.addingReportingOverflow(others).partialValue)))
        }
        waiting.removeAll { $0.kind == wish.kind }
        waiting.append(wish)
    }

    mutating func takeFirst() -> PlayerWish? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Puts back a request that a lost connection interrupted, unless a newer one of its kind is waiting.
    mutating func putBack(_ wish: PlayerWish) {
        if !contains(wish.kind) { waiting.insert(wish, at: 0) }
    }

    /// Discards the requests that concern media that has ended.
    mutating func mediaEnded() { waiting.removeAll(where: \.kind.isAboutMedia) }

    mutating func removeAll() -> [PlayerWish] {
        defer { waiting = [] }
        return waiting
    }
}

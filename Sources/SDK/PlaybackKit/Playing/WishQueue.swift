/// What people asked of a device and it has not been told yet, in order.
///
/// Of one kind only the latest waits: a slider makes many wishes while the device answers one. Without a connection
/// wishes wait for ``patience``; after that a person does not expect them any longer.
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

    /// Puts back a wish that the connection was lost under, unless a newer one of its kind has come meanwhile.
    mutating func putBack(_ wish: PlayerWish) {
        if !contains(wish.kind) { waiting.insert(wish, at: 0) }
    }

    /// Drops the wishes about media that has ended.
    mutating func mediaEnded() { waiting.removeAll(where: \.kind.isAboutMedia) }

    mutating func removeAll() -> [PlayerWish] {
        defer { waiting = [] }
        return waiting
    }
}

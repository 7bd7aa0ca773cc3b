/// The readers of the tree and the changes each hasn't received yet; bounded by the number of existing objects.
struct UpdateReaders {
    private struct Reader {
        var changed: Set<BlueZIdentifier>
        var hasNews: Bool
        var waiting: CheckedContinuation<Void, Never>?
    }

    private var readers: [Int: Reader] = [:]

    mutating func add(_ number: Int, changed: Set<BlueZIdentifier>, hasNews: Bool) {
        readers[number] = Reader(changed: changed, hasNews: hasNews)
    }

    mutating func remove(_ number: Int) { readers.removeValue(forKey: number)?.waiting?.resume() }

    func contains(_ number: Int) -> Bool { readers[number] != nil }

    /// Returns the changes the reader hasn't received; `nil` if there are none.
    mutating func take(_ number: Int) -> Set<BlueZIdentifier>? {
        guard let reader = readers[number], reader.hasNews else { return nil }
        readers[number]?.changed = []
        readers[number]?.hasNews = false
        return reader.changed
    }

    /// Suspends a reader until there is news. One task reads a stream at a time; an earlier one resumes without news.
    mutating func wait(_ number: Int, _ continuation: CheckedContinuation<Void, Never>) {
        guard readers[number]?.hasNews == false else { return continuation.resume() }
        readers[number]?.waiting?.resume()
        readers[number]?.waiting = continuation
    }

    mutating func tell(_ changed: Set<BlueZIdentifier>) {
        for number in readers.keys {
            readers[number]?.changed.formUnion(changed)
            readers[number]?.hasNews = true
            readers[number]?.waiting?.resume()
            readers[number]?.waiting = nil
        }
    }
}

/// Leaves when the stream that holds it is gone, read to its end or not.
final class Membership: Sendable {
    private let leave: @Sendable () -> Void

    init(leave: @escaping @Sendable () -> Void) { self.leave = leave }

    deinit { leave() }
}

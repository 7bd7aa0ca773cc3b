import Testing

@testable import Avahi

struct ResolverQueueTests {
    private func started(_ queue: inout ResolverQueue<Int>) -> [ResolverQueue<Int>.Start] {
        var starts: [ResolverQueue<Int>.Start] = []
        while let start = queue.next() { starts.append(start) }
        return starts
    }

    @Test func asksInOrderAndNotMoreThanAllowedAtATime() {
        var queue = ResolverQueue<Int>(askedLimit: 2, keptLimit: 10)
        for key in 1...5 { queue.enqueue(key) }
        let first = started(&queue)
        #expect(first.map(\.key) == [1, 2])
        #expect(queue.waitingCount == 3)
        queue.answered(2)
        let second = started(&queue)
        #expect(second.map(\.key) == [3])
        queue.answered(1)
        queue.answered(3)
        let third = started(&queue)
        #expect(third.map(\.key) == [4, 5])
        #expect(queue.waitingCount == 0)
    }

    @Test func waitingRowDisplacesTheOneThatAnsweredLongestAgo() {
        var queue = ResolverQueue<Int>(askedLimit: 2, keptLimit: 3)
        for key in 1...3 { queue.enqueue(key) }
        _ = started(&queue)
        queue.answered(1)
        _ = started(&queue)
        queue.answered(2)
        queue.answered(3)
        queue.answered(1)
        queue.enqueue(4)
        let first = started(&queue)
        #expect(first == [.init(key: 4, displaced: 2)])
    }

    @Test func everyRowIsAskedOnceWhateverTheirNumber() {
        var queue = ResolverQueue<Int>(askedLimit: 32, keptLimit: 900)
        var resolvers: Set<Int> = []
        var asked: Set<Int> = []
        for key in 0..<5_000 { queue.enqueue(key) }
        while let start = queue.next() {
            if let displaced = start.displaced { resolvers.remove(displaced) }
            resolvers.insert(start.key)
            let isFirst = asked.insert(start.key)
            #expect(isFirst.inserted)
            #expect(resolvers.count <= 900)
            if asked.count % 32 == 0 { for key in asked { queue.answered(key) } }
        }
        for key in asked { queue.answered(key) }
        while let start = queue.next() { asked.insert(start.key) }
        #expect(asked.count == 5_000)
        #expect(queue.waitingCount == 0)
    }

    @Test func removedRowsAreNotAskedAndFreeTheirPlace() {
        var queue = ResolverQueue<Int>(askedLimit: 1, keptLimit: 10)
        for key in 1...3 { queue.enqueue(key) }
        let start = queue.next()
        #expect(start?.key == 1)
        queue.remove(2)
        queue.remove(1)
        let nextStart = queue.next()
        #expect(nextStart?.key == 3)
        let last = queue.next()
        #expect(last == nil)
    }

    @Test func rowThatCameBackWhileWaitingIsAskedOnce() {
        var queue = ResolverQueue<Int>(askedLimit: 5, keptLimit: 10)
        queue.enqueue(1)
        queue.remove(1)
        queue.enqueue(1)
        let first = started(&queue)
        #expect(first.map(\.key) == [1])
        #expect(queue.waitingCount == 0)
    }
}

import HostCore
import HostInterface
import LinkProtocol
import Testing

@testable import HostExtensions

@Suite(.timeLimit(.minutes(1))) struct ExtensionEventQueueTests {
    private func message(_ identifier: String, _ number: Int) -> SupervisedEvent {
        SupervisedEvent(
            identifier: identifier, generation: number, event: .message(.sessionEnded(session: "s", ending: nil)))
    }

    @Test func orderIsKeptAcrossManyElements() async {
        let queue = ExtensionEventQueue(countLimit: 10_000)
        for number in 0..<5000 { #expect(queue.offer(message("a", number), cost: 1)) }
        queue.finish()
        var numbers: [Int] = []
        for await event in queue.stream { numbers.append(event.generation) }
        #expect(numbers == Array(0..<5000))
    }

    @Test func oneFloodDoesNotTouchOthersOrTheHost() async {
        let queue = ExtensionEventQueue(countLimit: 2)
        #expect(queue.offer(message("flood", 1), cost: 1))
        #expect(queue.offer(message("flood", 2), cost: 1))
        #expect(!queue.offer(message("flood", 3), cost: 1))
        #expect(queue.offer(message("quiet", 4), cost: 1))
        queue.push(SupervisedEvent(identifier: "flood", generation: 5, event: .stopped))
        var iterator = queue.stream.makeAsyncIterator()
        // A delivered event no longer takes room in the queue.
        #expect(await iterator.next()?.generation == 1)
        #expect(queue.offer(message("flood", 6), cost: 1))
        #expect(queue.offer(message("flood", 7), cost: 1))
        #expect(!queue.offer(message("flood", 8), cost: 1))
    }

    @Test func sizeCountsToo() {
        let queue = ExtensionEventQueue(countLimit: 100, costLimit: 1000)
        #expect(queue.offer(message("a", 1), cost: 600))
        #expect(!queue.offer(message("a", 2), cost: 600))
        #expect(queue.offer(message("a", 3), cost: 400))
    }

    @Test func aWaitingReaderGetsTheNextOneAndCanBeCancelled() async {
        let queue = ExtensionEventQueue()
        let stream = queue.stream
        let reader = Task {
            var iterator = stream.makeAsyncIterator()
            let first = await iterator.next()
            return (first, await iterator.next())
        }
        queue.push(message("a", 1))
        stream.cancel()
        let (first, second) = await reader.value
        #expect(second == nil)
        #expect(first == nil || first?.generation == 1)
    }
}

import DataChannels
import Dispatch
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DataWindowTests {
    @Test func aMessageWithoutRoomWaitsForTheEarlierOnes() async {
        let window = DataWindow(size: 10_000)
        #expect(window.take(4000) && window.take(4000))
        let taken = taking(3000, of: window)
        // Still too little.
        window.giveBack(0)
        window.giveBack(4000)
        var results = taken.makeAsyncIterator()
        #expect(await results.next() == true)
    }

    @Test func aMessageLongerThanTheWindowComesAlone() async {
        let window = DataWindow(size: 10_000)
        #expect(window.take(1))
        let taken = taking(50_000, of: window)
        window.giveBack(1)
        var results = taken.makeAsyncIterator()
        #expect(await results.next() == true)
        let next = taking(1, of: window)
        window.giveBack(50_000)
        results = next.makeAsyncIterator()
        #expect(await results.next() == true)
    }

    @Test func theEndOfTheWindowEndsTheWaiting() async {
        let window = DataWindow(size: 10_000)
        #expect(window.take(9000))
        let taken = taking(9000, of: window)
        window.close()
        var results = taken.makeAsyncIterator()
        #expect(await results.next() == false)
        #expect(!window.take(0))
    }

    /// Takes the room on a thread of its own.
    private func taking(_ length: Int, of window: DataWindow) -> AsyncStream<Bool> {
        let (results, feed) = AsyncStream.makeStream(of: Bool.self)
        DispatchQueue.global().async { feed.yield(window.take(length)) }
        return results
    }
}

import HostInterface
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
    @Test func everythingComesInOrderAndThenTheEnd() async {
        let mailbox = Mailbox<Int>()
        for number in 0..<1000 { mailbox.yield(number) }
        let reader = Task {
            var numbers: [Int] = []
            for await number in mailbox.elements { numbers.append(number) }
            return numbers
        }
        for number in 1000..<2000 { mailbox.yield(number) }
        mailbox.finish()
        mailbox.yield(2000)
        #expect(await reader.value == Array(0..<2000))
    }

    @Test func aReaderThatWaitsIsWokenAndCanBeCancelled() async {
        let mailbox = Mailbox<Int>()
        let (heard, feed) = AsyncStream.makeStream(of: Int.self)
        let reader = Task {
            for await number in mailbox.elements { feed.yield(number) }
            feed.finish()
        }
        var iterator = heard.makeAsyncIterator()
        mailbox.yield(1)
        #expect(await iterator.next() == 1)
        mailbox.yield(2)
        #expect(await iterator.next() == 2)
        mailbox.elements.cancel()
        await reader.value
        #expect(await iterator.next() == nil)
    }

    /// An endless reader lets other tasks on its actor run.
    @Test @MainActor func aFloodDoesNotKeepOthersOut() async {
        let mailbox = Mailbox<Int>()
        for number in 0..<10_000 { mailbox.yield(number) }
        var read = 0
        var readWhenOtherRan: Int?
        let reader = Task {
            for await _ in mailbox.elements { read += 1 }
        }
        Task { readWhenOtherRan = read }
        mailbox.finish()
        await reader.value
        #expect(read == 10_000)
        #expect(readWhenOtherRan.map { $0 < 1000 } == true)
    }
}

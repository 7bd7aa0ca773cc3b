import ManualTime
import Synchronization
import Testing

@testable import mdhost

@Suite("Leaving when idle", .timeLimit(.minutes(1)))
struct IdleWatchTests {
    private let clock = ManualClock()

    /// A watch with answers in order; the stream contains its events: each question, and the exit.
    private func watch(_ answers: [Bool]) -> (IdleWatch, AsyncStream<String>.Iterator) {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let remaining = AnswerList(answers)
        let watch = IdleWatch(
            patience: .seconds(60), clock: clock,
            isIdle: {
                let answer = remaining.next()
                continuation.yield("asked")
                return answer
            }, leave: { continuation.yield("left") })
        return (watch, stream.makeAsyncIterator())
    }

    @Test("a daemon that is idle for the whole time leaves")
    func leaves() async {
        var (watch, events) = watch([true])
        await watch.hint()
        await clock.slept(times: 1)
        clock.advance(by: .seconds(60))
        #expect(await events.next() == "asked")
        #expect(await events.next() == "left")
    }

    @Test("a hint starts the time anew")
    func hints() async {
        var (watch, events) = watch([true])
        await watch.hint()
        await clock.slept(times: 1)
        clock.advance(by: .seconds(59))
        await watch.hint()
        await clock.slept(times: 2)
        // The first time would be over by now.
        clock.advance(by: .seconds(59))
        clock.advance(by: .seconds(1))
        #expect(await events.next() == "asked")
        #expect(await events.next() == "left")
        #expect(clock.now.offset == .seconds(119))
    }

    @Test("however much changes, there is one hint a second, and one after the last change")
    func isPaced() async {
        let (activity, active) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (hints, hinted) = AsyncStream.makeStream(of: Void.self)
        let following = Task { [clock] in await IdleWatch.follow(activity, clock: clock) { hinted.yield() } }
        var iterator = hints.makeAsyncIterator()
        await iterator.next()
        for second in 1...3 {
            for _ in 0..<1000 { active.yield() }
            await iterator.next()
            await clock.slept(times: second)
            for _ in 0..<1000 { active.yield() }
            clock.advance(by: .seconds(1))
        }
        await iterator.next()
        await clock.slept(times: 4)
        active.finish()
        clock.advance(by: .seconds(1))
        await following.value
        hinted.finish()
        #expect(await iterator.next() == nil, "no further hint")
    }

    @Test("a daemon that is busy stays, and is asked again only after a hint")
    func stays() async {
        var (watch, events) = watch([false, true])
        await watch.hint()
        await clock.slept(times: 1)
        clock.advance(by: .seconds(60))
        #expect(await events.next() == "asked")
        await watch.hint()
        await clock.slept(times: 2)
        clock.advance(by: .seconds(60))
        #expect(await events.next() == "asked")
        #expect(await events.next() == "left")
    }
}

private final class AnswerList: Sendable {
    private let answers: Mutex<[Bool]>
    init(_ answers: [Bool]) { self.answers = Mutex(answers) }
    func next() -> Bool { answers.withLock { $0.isEmpty ? false : $0.removeFirst() } }
}

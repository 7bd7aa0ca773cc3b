import Glibc
import Testing
import Threads

@Suite(.timeLimit(.minutes(1)))
struct BackgroundThreadTests {
    private static var blocked: Set<Int32> {
        var mask = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        return Set((1...64).filter { sigismember(&mask, $0) == 1 })
    }

    @Test func noSignalIsDeliveredOnItAndTheStartersAreAsBefore() async {
        let (stream, feed) = AsyncStream.makeStream(of: Set<Int32>.self)
        let before = Self.blocked
        #expect(BackgroundThread.start { feed.yield(Self.blocked) })
        // Not after a wait, which may be over upon another thread.
        #expect(Self.blocked == before)
        var iterator = stream.makeAsyncIterator()
        let there = await iterator.next()
        #expect(there?.isSuperset(of: [SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1]) == true)
    }

    @Test func whatItRunsIsLetGoWhenItEnds() async {
        final class Token: Sendable {}
        let (stream, feed) = AsyncStream.makeStream(of: Void.self)
        var token: Token? = Token()
        weak let observed = token
        do {
            let held = token
            #expect(
                BackgroundThread.start {
                    withExtendedLifetime(held) {}
                    feed.finish()
                })
        }
        token = nil
        for await _ in stream {}
        while observed != nil { await Task.yield() }
    }
}

import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1))) struct ExtensionServicesTests {
    private let first = BrowserKey(identifier: "one", generation: 1, browser: 1)
    private let second = BrowserKey(identifier: "one", generation: 1, browser: 2)
    private let other = BrowserKey(identifier: "other", generation: 1, browser: 1)

    private func service() -> (task: Task<Void, Never>, input: AsyncStream<Int>.Continuation) {
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        return (Task { for await _ in stream {} }, input)
    }

    @Test func endsWithItsProcessAlone() async {
        var services = RunningServices<Int>()
        let running = [service(), service(), service()]
        for (key, service) in zip([first, second, other], running) {
            services.begin(key, service.task, input: service.input)
        }
        #expect(services.count(of: "one") == 2)
        services.endAll(of: "one")
        // Both end, since their input does.
        await running[0].task.value
        await running[1].task.value
        #expect(running[0].task.isCancelled && running[1].task.isCancelled && !running[2].task.isCancelled)
        #expect(!services.isRunning(first) && services.isRunning(other))
        services.endAll()
        await running[2].task.value
        #expect(services.count(of: "other") == 0)
    }

    @Test func aNumberThatIsUsedAgainEndsTheEarlierService() async {
        var services = RunningServices<Int>()
        let (earlier, later) = (service(), service())
        services.begin(first, earlier.task, input: earlier.input)
        services.begin(first, later.task, input: later.input)
        await earlier.task.value
        #expect(earlier.task.isCancelled && !later.task.isCancelled && services.isRunning(first))
        services.end(first)
        await later.task.value
    }

    @Test func inputReachesItsServiceWhileThatRuns() async {
        var services = RunningServices<Int>()
        let (stream, input) = AsyncStream.makeStream(of: Int.self)
        let task = Task {
            var received: [Int] = []; for await number in stream { received.append(number) }; return received
        }
        services.begin(first, Task { _ = await task.value }, input: input)
        services.send(1, to: first)
        services.send(2, to: other)
        services.send(3, to: first)
        services.end(first)
        services.send(4, to: first)
        #expect(await task.value == [1, 3])
    }
}

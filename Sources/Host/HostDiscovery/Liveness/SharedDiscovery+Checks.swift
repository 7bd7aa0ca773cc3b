import HostCore
import HostInterface
import Reachability

/// Asks devices at once, besides the regular tries.
extension SharedDiscovery {
    /// The start times of a check's tries. A lost packet costs one of them.
    private static let tries: [Duration] = [.zero, .milliseconds(200), .milliseconds(400), .milliseconds(600)]
    /// The time from the first try to the verdict.
    private static let limit = Duration.milliseconds(950)
    private static let checksAtOnce = 128

    package func confirm(_ endpoints: [String]) async -> Bool? {
        let places = endpoints.compactMap(EndpointText.place).map {
            ProbeTarget.Place(address: $0.address, port: $0.port)
        }
        guard let own = ProbeTarget(places) else { return nil }
        await enterCheck()
        defer { leaveCheck() }
        let target = directory.target(at: own.places) ?? own
        guard let answer = await ask(target) else { return nil }
        tell(directory.checked(target, answered: answer, now: .now))
        return answer
    }

    /// - Returns: `nil` if this machine could not ask.
    private func ask(_ target: ProbeTarget) async -> Bool? {
        let announced = directory.items(at: target).first
        let (answers, sink) = AsyncStream.makeStream(of: LivenessSchedule<ProbeTarget>.Answer.self)
        let tasks = Self.tries.map { delay in
            let attempt = LivenessTry(
                target: target, announced: announced, isDoubt: delay > .zero, limit: Self.limit - delay,
                identifier: UInt16.random(in: .min ... .max))
            return Task { [prober] in
                guard (try? await Task.sleep(for: delay)) != nil else { return }
                sink.yield(await attempt.perform(by: prober))
            }
        }
        defer { for task in tasks { task.cancel() } }
        var seen: [LivenessSchedule<ProbeTarget>.Answer] = []
        for await answer in answers {
            if answer == .answered { return true }
            seen.append(answer)
            if seen.count == tasks.count { break }
        }
        return seen.isEmpty || seen.allSatisfy { $0 == .impossible } ? nil : false
    }

    // MARK: Limits

    private func enterCheck() async {
        guard checksUnderWay >= Self.checksAtOnce else {
            checksUnderWay += 1
            return
        }
        await withCheckedContinuation { waitingChecks.append($0) }
    }

    /// Passes the place on to the check that has waited longest.
    private func leaveCheck() {
        if let next = waitingChecks.popFirst() { next.resume() } else { checksUnderWay -= 1 }
    }
}

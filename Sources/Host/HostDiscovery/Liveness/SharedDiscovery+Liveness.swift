import HostCore
import HostInterface
import Logging
import Reachability

/// Performs the tries that ``LiveDirectory`` requests. Without any, no timer runs.
extension SharedDiscovery {
    /// The time within which due tries begin together, so that one wake-up serves several devices.
    private static let grain = Duration.milliseconds(50)

    /// A Boolean value that indicates whether no tries are needed.
    var isIdle: Bool { directory.isIdle }

    /// A Boolean value that indicates whether a timer or socket may wake this object.
    var hasAlarm: Bool { alarm != nil || machine != nil }

    package func watch(_ endpoints: [String], isInUse: Bool) -> AsyncStream<Bool> {
        let places = endpoints.compactMap(EndpointText.place).map {
            ProbeTarget.Place(address: $0.address, port: $0.port)
        }
        // The newest is all that counts.
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        guard let target = ProbeTarget(places) else { return stream }
        let number = nextNumber()
        continuation.onTermination = { [weak self] _ in Task { await self?.endWatch(number) } }
        watchers[number] = continuation
        directory.begin(use: number, at: target, isInUse: isInUse, now: .now)
        if !directory.isThere(use: number) { continuation.yield(false) }
        advance()
        return stream
    }

    package func doubts() -> AsyncStream<[String]> {
        // Events lost in a burst are found by the tries that go on.
        let (stream, continuation) = AsyncStream.makeStream(of: [String].self, bufferingPolicy: .bufferingNewest(1_024))
        let number = nextNumber()
        continuation.onTermination = { [weak self] _ in Task { await self?.endDoubts(number) } }
        doubters[number] = continuation
        return stream
    }

    private func endDoubts(_ number: Int) { doubters[number] = nil }

    private func endWatch(_ number: Int) {
        guard watchers.removeValue(forKey: number) != nil else { return }
        directory.end(use: number)
        advance()
    }

    /// Begins the due tries, and sets the timer for the next.
    func advance() {
        guard !directory.isIdle else {
            alarm?.task.cancel()
            alarm = nil
            machine = nil
            return
        }
        watchMachine()
        let now = ContinuousClock.now
        let tries = directory.take(now: now)
        for attempt in tries where !attempt.isRoutine { begin(attempt) }
        begin(routine: tries.filter(\.isRoutine))
        // The answers change when the next is due.
        guard gatheringBatches == 0 else { return }
        guard let next = directory.schedule.next else {
            alarm?.task.cancel()
            alarm = nil
            return
        }
        let at = max(next, now + Self.grain)
        if let alarm, alarm.at <= at, alarm.at > now { return }
        alarm?.task.cancel()
        let task = Task { [weak self] in
            guard (try? await Task.sleep(until: at, tolerance: Self.grain, clock: .continuous)) != nil else { return }
            await self?.rang()
        }
        alarm = (at, task)
    }

    private func rang() {
        alarm = nil
        if machine?.suspension.notice() == true { lookAnew("this machine slept") }
        advance()
    }

    private func begin(_ attempt: LivenessSchedule<ProbeTarget>.Try) {
        let announced = directory.items(at: attempt.subject).first
        let performed = LivenessTry(
            target: attempt.subject, announced: announced, isDoubt: attempt.isDoubt, limit: attempt.limit,
            identifier: UInt16(truncatingIfNeeded: attempt.number))
        Task { [weak self, prober] in
            let answer = await performed.perform(by: prober)
            await self?.settle(attempt, answer)
        }
        if attempt.beginsDoubt {
            let places = attempt.subject.places + directory.formerPlaces(of: attempt.subject)
            for sink in doubters.values { sink.yield(places.map(\.text)) }
        }
        guard attempt.wantsLookup else { return }
        let services = directory.items(at: attempt.subject).filter { $0.request.kind == .bonjour }.map(\.item)
        Task { [bonjour] in
            for service in services {
                await bonjour.resolveAgain(name: service.name, type: service.type, domain: service.domain)
            }
        }
    }

    /// Begins the tries of available devices, whose answers are read together.
    private func begin(routine tries: [LivenessSchedule<ProbeTarget>.Try]) {
        guard !tries.isEmpty else { return }
        gatheringBatches += 1
        let requests = tries.map { LivenessTry.connection(to: $0.subject, within: $0.limit) }
        Task { [weak self, prober] in
            var isFirst = true
            for await replies in prober.ask(requests, gathering: Self.grain) {
                await self?.settle(tries, replies, endsGathering: isFirst)
                isFirst = false
            }
        }
    }

    private func settle(
        _ tries: [LivenessSchedule<ProbeTarget>.Try], _ replies: [ProbeReply], endsGathering: Bool
    ) {
        if endsGathering { gatheringBatches -= 1 }
        let now = ContinuousClock.now
        tell(
            replies.flatMap { reply in
                let attempt = tries[reply.index]
                let answer = LivenessTry.meaning(of: reply.answer, for: attempt.subject)
                return directory.settle(attempt.number, answer, now: now)
            })
    }

    private func settle(
        _ attempt: LivenessSchedule<ProbeTarget>.Try, _ answer: LivenessSchedule<ProbeTarget>.Answer
    ) {
        tell(directory.settle(attempt.number, answer, now: .now))
    }

    func tell(_ all: [LiveDirectory.News]) {
        for news in all {
            switch news {
            case .browse(let request, let event):
                logger.debug(
                    "liveness: \(event.kind.rawValue)", metadata: ["discovery.item": "\(event.item?.name ?? "")"])
                deliver(event, of: request)
            case .use(let number, let isThere): watchers[number]?.yield(isThere)
            }
        }
        advance()
    }

    // MARK: The machine itself

    private func watchMachine() {
        guard machine == nil else { return }
        machine = MachineWatch { [weak self] in
            Task { await self?.linksChanged() }
        }
    }

    private func linksChanged() {
        guard machine?.hasOtherLinks() == true else { return }
        lookAnew("another network interface or address")
        advance()
    }

    private func lookAnew(_ reason: String) {
        logger.debug("liveness: checking all devices again", metadata: ["reason": "\(reason)"])
        directory.hurry(now: .now)
    }
}

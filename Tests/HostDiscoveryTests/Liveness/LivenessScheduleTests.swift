import Testing

@testable import HostDiscovery

/// A schedule and a clock that the test moves.
struct LivenessScheduleTests {
    typealias Schedule = LivenessSchedule<String>

    /// Plays time forward: every try is answered by `answer` after as long as it says, `nil` for never before its limit.
    final class Player {
        let begun = ContinuousClock.now
        var schedule = Schedule()
        var passed = Duration.zero
        var tries = 0
        /// When tries began.
        var moments: Set<Duration> = []
        private var open: [(at: Duration, number: Int, answer: Schedule.Answer)] = []

        var now: ContinuousClock.Instant { begun + passed }

        /// The first verdict, and when it came; `nil` if there was none.
        func play(
            for length: Duration, answer: (String, Duration) -> (Schedule.Answer, after: Duration)?
        ) -> (subject: String, verdict: Schedule.Verdict, at: Duration)? {
            let end = passed + length
            while passed < end {
                for attempt in schedule.take(now: now) {
                    tries += 1
                    moments.insert(passed)
                    let (outcome, delay) = answer(attempt.subject, passed) ?? (.silent, attempt.limit)
                    open.append(
                        (passed + min(delay, attempt.limit), attempt.number, delay > attempt.limit ? .silent : outcome))
                }
                let due = open.filter { $0.at <= passed }
                open.removeAll { $0.at <= passed }
                for attempt in due.sorted(by: { $0.at < $1.at }) {
                    if let (subject, verdict) = schedule.settle(attempt.number, attempt.answer, now: now) {
                        return (subject, verdict, passed)
                    }
                }
                passed += .milliseconds(50)
            }
            return nil
        }
    }

    private static func quick(_: String, _: Duration) -> (Schedule.Answer, after: Duration)? { (.answered, .zero) }
    private static func dead(_: String, _: Duration) -> (Schedule.Answer, after: Duration)? { nil }

    private func player(_ need: Schedule.Need, isProven: Bool = true) -> Player {
        let player = Player()
        player.schedule.follow("tv", for: need, isProven: isProven, now: player.now)
        return player
    }

    /// Each time wakes the processor.
    @Test func aFewAreAskedTogether() {
        let player = Player()
        for index in 0..<8 { player.schedule.follow("\(index)", for: .listed, isProven: true, now: player.now) }
        #expect(player.play(for: .seconds(20), answer: Self.quick) == nil)
        (player.tries, player.moments) = (0, [])
        #expect(player.play(for: .seconds(32), answer: Self.quick) == nil)
        #expect(player.moments.count <= 4 && player.tries <= 32, "\(player.moments.sorted())")
    }

    @Test func manyAreNotAskedTogether() {
        let player = Player()
        for index in 0..<64 { player.schedule.follow("\(index)", for: .listed, isProven: true, now: player.now) }
        #expect(player.play(for: .seconds(20), answer: Self.quick) == nil)
        for _ in 0..<200 {
            #expect(player.schedule.take(now: player.now).count <= Schedule.triesTogether)
            player.passed += .milliseconds(50)
        }
    }

    @Test(arguments: [(Schedule.Need.listed, Duration.seconds(15)), (.inUse, .milliseconds(4_300))])
    func aDeviceThatVanishesIsLostInTime(need: Schedule.Need, bound: Duration) throws {
        // Wherever in the interval the cable is cut.
        for moment in stride(from: 0, to: 9_000, by: 450) {
            let player = player(need)
            #expect(player.play(for: .milliseconds(20_000 + moment), answer: Self.quick) == nil)
            let cut = player.passed
            let loss = try #require(player.play(for: .seconds(30), answer: Self.dead))
            #expect(loss.verdict == .lost)
            #expect(loss.at - cut <= bound, "cut \(moment) ms later: lost after \(loss.at - cut)")
        }
    }

    @Test func aDoubtIsToldOnceUntilTheNextAnswer() throws {
        var schedule = Schedule()
        let begun = ContinuousClock.now
        schedule.follow("tv", for: .inUse, isProven: true, now: begun)
        func doubts(_ steps: Range<Int>, answering: Bool) -> [Int] {
            steps.filter { step in
                let now = begun + .milliseconds(500) * step
                let tries = schedule.take(now: now)
                for attempt in tries { _ = schedule.settle(attempt.number, answering ? .answered : .silent, now: now) }
                return tries.contains { $0.beginsDoubt }
            }
        }
        #expect(doubts(0..<20, answering: true) == [])
        // Every 500 ms since the first that is not answered; it is lost long before the end.
        #expect(doubts(20..<60, answering: false).count == 1)
        #expect(schedule.isAlive("tv") == false)
        #expect(doubts(60..<80, answering: true) == [])
        #expect(doubts(80..<90, answering: false).count == 1)
    }

    @Test(arguments: [Schedule.Need.listed, .inUse])
    func itIsFoundAgainASecondAfterItAnswers(need: Schedule.Need) throws {
        for moment in stride(from: 0, to: 3_000, by: 350) {
            let player = player(need)
            _ = try #require(player.play(for: .seconds(30), answer: Self.dead))
            #expect(player.play(for: .milliseconds(40_000 + moment), answer: Self.dead) == nil, "it is lost once")
            let cured = player.passed
            let back = try #require(player.play(for: .seconds(30), answer: Self.quick))
            #expect(back.verdict == .back && back.at - cured <= .milliseconds(1_100))
            #expect(player.play(for: .seconds(60), answer: Self.quick) == nil)
        }
    }

    @Test(arguments: [Schedule.Need.listed, .inUse])
    func lostPacketsAndSlownessAreNoLoss(need: Schedule.Need) {
        let player = player(need)
        var count = 0
        // Two tries of three are lost, the third takes its time.
        let verdict = player.play(for: .seconds(600)) { _, _ in
            count += 1
            return count % 3 == 0 ? (.answered, .milliseconds(1_400)) : nil
        }
        #expect(verdict == nil)
        #expect(player.schedule.isAlive("tv") == true)
    }

    @Test func answersFromBeforeTheLastOneSayNothing() throws {
        var schedule = Schedule()
        let begun = ContinuousClock.now
        schedule.follow("tv", for: .inUse, isProven: true, now: begun)
        var numbers: [Int] = []
        for step in 0..<6 {
            numbers += schedule.take(now: begun + .milliseconds(600) * step).map(\.number)
        }
        let popped = numbers.popLast()
        let last = try #require(popped)
        let answered = schedule.settle(last, .answered, now: begun + .seconds(4))
        #expect(answered == nil)
        for number in numbers {
            let late = schedule.settle(number, .silent, now: begun + .seconds(5))
            #expect(late == nil)
        }
        #expect(schedule.isAlive("tv") == true)
    }

    @Test func aHostThatRefusesHasLongerAndIsNotFoundByRefusing() throws {
        let player = player(.inUse)
        let refusing = { (_: String, _: Duration) -> (Schedule.Answer, after: Duration)? in (.refused, .zero) }
        let loss = try #require(player.play(for: .seconds(60), answer: refusing))
        #expect(loss.verdict == .lost)
        #expect(loss.at >= LivenessRhythm.refusals.patience && loss.at < .seconds(20))
        #expect(player.play(for: .seconds(60), answer: refusing) == nil)
        #expect(player.play(for: .seconds(5), answer: Self.quick)?.verdict == .back)
    }

    @Test func whatCannotBeTriedIsNoLoss() {
        let player = player(.inUse)
        #expect(player.play(for: .seconds(120)) { _, _ in (.impossible, .zero) } == nil)
        #expect(player.schedule.isAlive("tv") == true)
    }

    @Test func whatWasNeverProvenIsTriedAtOnce() throws {
        let player = player(.listed, isProven: false)
        #expect(player.schedule.isAlive("tv") == false)
        let found = try #require(player.play(for: .seconds(5), answer: Self.quick))
        #expect(found.verdict == .back && found.at == .zero)
        let ghost = self.player(.listed, isProven: false)
        #expect(ghost.play(for: .seconds(120), answer: Self.dead) == nil, "it was never there")
    }

    @Test func aThousandAreSpreadAndBounded() {
        let player = Player()
        for index in 0..<1_000 {
            player.schedule.follow("\(index)", for: .listed, isProven: true, now: player.now)
        }
        var most = 0
        for _ in 0..<40 {
            let before = player.tries
            #expect(player.play(for: .seconds(1), answer: Self.quick) == nil)
            most = max(most, player.tries - before)
        }
        // 1,000 in 8 s are 125 a second.
        #expect(most <= 160, "\(most) in one second")
        #expect((4_500...5_500).contains(player.tries), "\(player.tries) in 40 s")
        var schedule = player.schedule
        schedule.hurry(now: player.now)
        #expect(schedule.take(now: player.now + .seconds(9)).count == Schedule.triesAtOnce)
        #expect(schedule.next == nil, "until answers come in")
    }

    @Test func nobodyToLookAfterMeansNoAlarm() throws {
        var schedule = Schedule()
        #expect(schedule.next == nil)
        let now = ContinuousClock.now
        schedule.follow("tv", for: .listed, isProven: false, now: now)
        let attempt = try #require(schedule.take(now: now).first)
        schedule.forget("tv")
        #expect(schedule.next == nil && schedule.count == 0)
        schedule.follow("tv", for: .listed, isProven: false, now: now)
        let stale = schedule.settle(attempt.number, .answered, now: now)
        #expect(stale == nil, "the answer was another one's")
        #expect(schedule.isAlive("tv") == false)
    }

    @Test func hurryBringsTheNextTryForward() throws {
        let player = player(.inUse)
        #expect(player.play(for: .milliseconds(200), answer: Self.quick) == nil)
        #expect(player.schedule.take(now: player.now).isEmpty)
        player.schedule.hurry(now: player.now)
        #expect(player.schedule.take(now: player.now).map(\.subject) == ["tv"])
    }

    @Test func inDoubtItIsLookedUpOnceAndThenSeldom() {
        var schedule = Schedule()
        let begun = ContinuousClock.now
        schedule.follow("tv", for: .listed, isProven: true, now: begun)
        var lookups: [Duration] = []
        var open: [(at: Duration, number: Int)] = []
        for second in 0..<60 {
            let passed = Duration.seconds(second)
            for attempt in schedule.take(now: begun + passed) {
                open.append((passed + attempt.limit, attempt.number))
                if attempt.wantsLookup { lookups.append(passed) }
            }
            for attempt in open where attempt.at <= passed {
                _ = schedule.settle(attempt.number, .silent, now: begun + passed)
            }
            open.removeAll { $0.at <= passed }
        }
        #expect((3...6).contains(lookups.count), "\(lookups)")
    }
}

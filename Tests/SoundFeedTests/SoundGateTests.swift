import Testing

@testable import SoundFeed

/// A value whose changes can be expected of.
private final class Changing<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

extension Changing<SoundGate> {
    var phase: SoundGate.Phase { value.phase }
    var takesSamples: Bool { value.takesSamples }
    func take(isSilent: Bool, frames: Int) -> SoundGate.Outcome { value.take(isSilent: isSilent, frames: frames) }
    func open() { value.open() }
    func shut() { value.shut() }
}

extension Changing<SamplePace> {
    func take(at now: UInt64) -> Bool { value.take(at: now) }
}

@Suite struct SoundGateTests {
    private let gate = Changing(SoundGate(patience: 300, pause: 100))

    @Test func silenceBeginsNothing() {
        for _ in 0..<10 { #expect(gate.take(isSilent: true, frames: 100) == .drop) }
        #expect(gate.phase == .listening && gate.takesSamples)
    }

    @Test func theFirstSoundIsKeptUntilSomebodyTakesIt() {
        #expect(gate.take(isSilent: false, frames: 100) == .keep(isFirst: true))
        #expect(!gate.takesSamples)
        #expect(gate.take(isSilent: false, frames: 100) == .keep(isFirst: false), "what was on its way already")
        gate.open()
        #expect(gate.takesSamples)
        #expect(gate.take(isSilent: false, frames: 100) == .pass)
    }

    @Test func endsAfterAWhileOfSilenceAndBeginsAgain() {
        _ = gate.take(isSilent: false, frames: 100)
        gate.open()
        #expect(gate.take(isSilent: true, frames: 200) == .pass)
        #expect(gate.take(isSilent: false, frames: 100) == .pass, "it counts anew")
        #expect(gate.take(isSilent: true, frames: 299) == .pass)
        #expect(gate.take(isSilent: true, frames: 1) == .passAsLast)
        #expect(gate.phase == .listening)
        #expect(gate.take(isSilent: false, frames: 100) == .keep(isFirst: true))
    }

    @Test func whatNobodyWantedIsOverAfterAPause() {
        _ = gate.take(isSilent: false, frames: 100)
        gate.shut()
        #expect(gate.takesSamples, "programs are not kept waiting")
        #expect(gate.take(isSilent: false, frames: 1000) == .drop)
        #expect(gate.take(isSilent: true, frames: 99) == .drop && gate.phase == .deaf)
        #expect(gate.take(isSilent: true, frames: 1) == .drop && gate.phase == .listening)
    }
}

@Suite struct SamplePaceTests {
    @Test func thereAreAsManyBlocksAsThereHaveToBe() {
        let pace = Changing(SamplePace(rate: 44_100, blockLength: 1024))
        pace.value.restart(at: 5)
        var blocks = 0
        // Asked at odd times, none of them far apart.
        for now in stride(from: UInt64(5), through: 10_000_000_005, by: 7_300_001) where pace.take(at: now) {
            blocks += 1
        }
        #expect(blocks == 431, "10 s are 430.7 blocks, and the first is due at once")
    }

    @Test func aShortBlockIsFollowedSooner() {
        var pace = SamplePace(rate: 1000, blockLength: 40)
        pace.restart(at: 0)
        pace.passed(frames: 10, at: 2_000_000)
        #expect(pace.next == 11_000_000, "nine tenths of what there was")
        pace.passed(frames: 40, at: 11_000_000)
        #expect(pace.next == 50_000_000)
    }

    @Test func blocksOfAnotherRateTakeTheirTime() {
        var pace = SamplePace(rate: 44_100, blockLength: 1024)
        pace.restart(at: 0)
        // 1,024 frames of 48,000 in a second are 940.8 of 44,100.
        for _ in 0..<46_875 { pace.passed(frames: 1024, of: 48_000, at: pace.next) }
        #expect(pace.next == 1_000_000_000_000, "after a thousand seconds, too")
        pace.passed(frames: 1024, of: 44_100, at: pace.next)
        #expect(pace.next == 1_000_023_219_954)
    }

    @Test func aLittleDelayIsCaughtUpWithAndALongOneIsNot() {
        let pace = Changing(SamplePace(rate: 1000, blockLength: 10))
        pace.value.restart(at: 0)
        #expect(pace.take(at: 0))
        #expect(pace.take(at: 50_000_000) && !pace.take(at: 50_000_000), "programs get nine tenths of a block")
        #expect(pace.value.next == 59_000_000)
        var blocks = 0
        for now in stride(from: UInt64(59_000_000), to: 1_000_000_000, by: 1_000_000) where pace.take(at: now) {
            blocks += 1
        }
        #expect(blocks + 2 == 100, "and in the end there are as many as there have to be")
        let late: UInt64 = 10_000_000_000
        #expect(pace.take(at: late))
        #expect(!pace.take(at: late), "the next is due a block later")
        #expect(pace.value.next == late + 10_000_000)
    }
}

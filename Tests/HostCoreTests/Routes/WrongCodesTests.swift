import Foundation
import HostInterface
import LinkProtocol
import ManualTime
import Synchronization
import Testing

@testable import HostCore

/// Guessing the code of a device that itself accepts any number of wrong ones.
@Suite(.timeLimit(.minutes(1)))
struct WrongCodesTests {
    private static let id = HostUnderTest.device.id
    private static let secret = "4711"

    /// An extension for a device without a limit of its own.
    private static func patient(
        answer: @escaping @Sendable (String) -> [ExtensionMessage]? = { _ in nil }
    ) -> ScriptedRunner {
        ScriptedRunner { call in
            switch call {
            case .activate(let device, let session, _, let credential):
                if credential == Data(secret.utf8) { return [.activatedDevice(device: device.id, session: session)] }
                let challenge = PairingChallenge(method: .numericCode, length: 4, reason: "")
                return [.requestPairingCode(device: device.id, session: session, challenge: challenge)]
            case .connectUsingPairingCode(let code?, let device, let session):
                if let answer = answer(session) { return answer }
                guard code == secret else {
                    let error = HostError(.authorizationFailed, "Wrong.")
                    return [.failedToActivate(device: device, session: session, error: error)]
                }
                return [
                    .setCredential(device: device, secret: Data(secret.utf8)),
                    .activatedDevice(device: device, session: session),
                ]
            default: return []
            }
        }
    }

    private static func codes(_ runner: ScriptedRunner) -> Int {
        runner.calls.count { if case .connectUsingPairingCode(.some, _, _) = $0 { true } else { false } }
    }

    private static func questions(_ runner: ScriptedRunner) -> Int {
        runner.calls.count { if case .activate = $0 { true } else { false } }
    }

    private static func guess(_ world: HostUnderTest, _ code: String = "0000") async -> HostError? {
        do {
            try await world.host.pair(id) { _, _ in code }
            return nil
        } catch {
            return error as? HostError
        }
    }

    @Test func manyPairingsTryFewCodes() async throws {
        let clock = ManualClock()
        let world = HostUnderTest(Self.patient(), clock: clock)
        await world.discover()
        for _ in 0..<100 { #expect(await Self.guess(world)?.code == .authorizationFailed) }
        #expect(Self.codes(world.runner) == 6)
        let asked = Self.questions(world.runner)
        let refusal = await Self.guess(world)
        #expect(refusal?.message == "Too many wrong codes for Living Room. Wait 11 s, then try again.")
        #expect(Self.questions(world.runner) == asked, "the device is left alone")

        // An hour of attempts.
        for _ in 0..<120 {
            clock.advance(by: .seconds(30))
            if await Self.guess(world) == nil { Issue.record("paired") }
        }
        let hour = Self.codes(world.runner)
        #expect((12...22).contains(hour), "\(hour) codes")
        await world.finish()
    }

    @Test func clientsAtTheSameTimeShareTheLimit() async throws {
        let world = HostUnderTest(Self.patient(), clock: ManualClock())
        await world.discover()
        await withTaskGroup { group in
            for number in 0..<100 { group.addTask { _ = await Self.guess(world, "\(1_000 + number)") } }
        }
        #expect(Self.codes(world.runner) <= 6)
        for _ in 0..<10 { _ = await Self.guess(world) }
        #expect(Self.codes(world.runner) == 6)
        await world.finish()
    }

    @Test func endingTheActivationBeforeTheAnswerDoesNotHideACode() async throws {
        let world = HostUnderTest(Self.patient { _ in [] }, clock: ManualClock())
        await world.discover()
        for number in 1...6 {
            let attempt = Task { await Self.guess(world) }
            await world.until { _ in Self.codes(world.runner) == number }
            try await world.host.deactivate(Self.id)
            #expect(await attempt.value?.code == .cancelled)
        }
        #expect(await Self.guess(world)?.message.hasPrefix("Too many wrong codes") == true)
        #expect(Self.codes(world.runner) == 6)
        await world.finish()
    }

    @Test func aDeviceThatAsksAgainAndAgainIsAskedFewTimes() async throws {
        let world = HostUnderTest(
            Self.patient { session in
                let challenge = PairingChallenge(method: .numericCode, length: 4, reason: "Once more")
                return [.requestPairingCode(device: Self.id, session: session, challenge: challenge)]
            }, clock: ManualClock())
        await world.discover()
        #expect(await Self.guess(world)?.code == .authorizationFailed)
        #expect(Self.codes(world.runner) == 6)
        await world.finish()
    }

    @Test func forgettingTheDeviceDoesNotHelpButTimeDoes() async throws {
        let clock = ManualClock()
        let world = HostUnderTest(Self.patient(), clock: clock)
        await world.discover()
        for _ in 0..<2 { _ = await Self.guess(world) }
        try await world.host.forget(Self.id)
        #expect(await Self.guess(world, Self.secret)?.code == .authorizationFailed, "not even the right one")
        clock.advance(by: .seconds(11))
        #expect(await Self.guess(world, Self.secret) == nil)
        // The right code gives all attempts back, and a paired device is used without any.
        await world.until { await $0.devices.first?.isPaired == true }
        try await world.host.forget(Self.id)
        for _ in 0..<10 { _ = await Self.guess(world) }
        #expect(Self.codes(world.runner) == 13)
        world.store.credentials.withLock { $0[Self.id] = Data(Self.secret.utf8) }
        #expect(await Self.guess(world) == nil)
        await world.finish()
    }

    @Test func aDeviceThatCannotBeReachedCountsNothing() async throws {
        let world = HostUnderTest(
            Self.patient { session in
                [.failedToActivate(device: Self.id, session: session, error: HostError(.unreachable, "Off."))]
            }, clock: ManualClock())
        await world.discover()
        for _ in 0..<20 { #expect(await Self.guess(world)?.code == .unreachable) }
        #expect(Self.codes(world.runner) == 20)
        await world.finish()
    }

    @Test func theWaitGrowsAndIsForgotten() {
        var codes = WrongCodes()
        func end(_ now: Duration) -> Bool {
            do throws(HostError) { try codes.check("a", name: "A", now: now) } catch { return false }
            return true
        }
        for _ in 0..<5 { codes.add("a", now: .zero) }
        #expect(end(.zero))
        var now = Duration.zero
        for wait in [10, 20, 40, 80, 160, 300, 300] {
            codes.add("a", now: now)
            #expect(!end(now + .seconds(wait) - .milliseconds(1)) && end(now + .seconds(wait)))
            now += .seconds(wait)
        }
        codes.add("b", now: now + .seconds(3_600))
        codes.add("a", now: now + .seconds(3_600))
        #expect(end(now + .seconds(3_600)), "an hour without a wrong one")
    }
}

import Foundation
import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct ActivationTests {
    private static let id = HostUnderTest.device.id

    private static let open = { @Sendable (call: ExtensionCall) -> [ExtensionMessage] in
        guard case .activate(let device, let session, _, _) = call else { return [] }
        return [.activatedDevice(device: device.id, session: session)]
    }

    @Test func anOpenDeviceIsActiveAndLetGoWithItsHolder() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.open))
        await world.discover()
        try await world.host.activate(Self.id, holder: "me", prompt: nil)
        #expect(await world.host.devices.first?.activation == .active)
        #expect(await world.host.devices.first?.level == 0.5)
        #expect(world.runner.reasons.contains("route:" + Self.id))
        await world.host.releaseAll(holder: "me")
        #expect(await world.host.devices.first?.activation == .idle)
        #expect(!world.runner.reasons.contains("route:" + Self.id))
        #expect(world.runner.calls.contains { if case .deactivate = $0 { true } else { false } })
        await world.finish()
    }

    @Test func aPairingIsAcknowledgedOnceItIsStored() async throws {
        let slow = MemoryStore { for _ in 0..<1_000 { await Task.yield() } }
        let world = HostUnderTest(ScriptedRunner.locked("sesame"), store: slow)
        await world.discover()
        try await world.host.pair(Self.id) { _, _ in "sesame" }
        #expect(slow.paired[Self.id] == Data("sesame".utf8))
        await world.finish()
    }

    @Test func whatIsStoredKeepsNothingBusy() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        for secret in ["one", "two", "three"] {
            world.runner.emit(.message(.setCredential(device: Self.id, secret: Data(secret.utf8))))
        }
        await world.until { _ in world.store.paired[Self.id] == Data("three".utf8) }
        await world.until { await $0.credentials.writeCount == 0 }
        try await world.host.forget(Self.id)
        #expect(world.store.paired.isEmpty)
        await world.finish()
    }

    @Test func aRightPasswordIsStoredAndNotAskedAgain() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        let asked = Mutex(0)
        try await world.host.pair(Self.id) { _, challenge in
            asked.withLock { $0 += 1 }
            #expect(challenge.method == .password)
            return "sesame"
        }
        await world.until { await $0.devices.first?.isPaired == true }
        try await world.host.activate(Self.id, holder: "me", prompt: nil)
        #expect(asked.withLock { $0 } == 1)
        await world.finish()
    }

    @Test func aWrongPasswordIsToldAndLeavesNothingBehind() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        await #expect(throws: HostError(.authorizationFailed, "Wrong.")) {
            try await world.host.pair(Self.id) { _, _ in "guess" }
        }
        #expect(await world.host.devices.first?.activation == .idle)
        #expect(await world.host.devices.first?.lastError?.code == .authorizationFailed)
        #expect(world.store.paired.isEmpty)
        #expect(!world.runner.reasons.contains("route:" + Self.id))
        await world.finish()
    }

    @Test func aWrongPasswordMayBeCorrectedInTheSameActivation() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        let challenges = Mutex<[PairingChallenge]>([])
        try await world.host.activate(Self.id, holder: "me") { _, challenge in
            challenges.withLock { challenges in
                challenges.append(challenge)
                return ["one", "two", "sesame"][challenges.count - 1]
            }
        }
        let asked = challenges.withLock { $0 }
        #expect(asked.map(\.attemptsLeft) == [nil, 2, 1])
        #expect(
            asked.map(\.reason) == ["Tell me", "Wrong. 2 attempts left. Tell me", "Wrong. 1 attempt left. Tell me"])
        let sessions = world.runner.activations
        #expect(sessions.count == 3 && Set(sessions).count == 1)
        #expect(await world.host.devices.first?.activation == .active)
        await world.finish()
    }

    @Test func anAgentWithoutAnotherCodeLeavesItAtTheRefusal() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        await #expect(throws: HostError(.authorizationFailed, "Wrong.")) {
            try await world.host.pair(Self.id) { _, challenge in
                guard challenge.attemptsLeft == nil else { throw HostError(.authorizationFailed, "No other code.") }
                return "guess"
            }
        }
        #expect(await world.host.devices.first?.activation == .idle)
        await world.finish()
    }

    @Test func aDeviceThatWantsToBeLeftAloneIsNotAskedForMore() async throws {
        let isClosed = Mutex(false)
        let runner = ScriptedRunner { call in
            switch call {
            case .activate(let device, let session, _, _):
                guard !isClosed.withLock({ $0 }) else {
                    let error = HostError(.authorizationFailed, "Too many wrong codes: wait 30 seconds.")
                    return [.failedToActivate(device: device.id, session: session, error: error)]
                }
                let challenge = PairingChallenge(method: .numericCode, length: 4, reason: "")
                return [.requestPairingCode(device: device.id, session: session, challenge: challenge)]
            case .connectUsingPairingCode(_, let device, let session):
                isClosed.withLock { $0 = true }
                let error = HostError(.authorizationFailed, "Wrong.")
                return [.failedToActivate(device: device, session: session, error: error)]
            default: return []
            }
        }
        let world = HostUnderTest(runner)
        await world.discover()
        let asked = Mutex(0)
        await #expect(throws: HostError(.authorizationFailed, "Too many wrong codes: wait 30 seconds.")) {
            try await world.host.pair(Self.id) { _, _ in
                asked.withLock { $0 += 1 }
                return "0000"
            }
        }
        #expect(asked.withLock { $0 } == 1)
        await world.finish()
    }

    @Test func withoutAnybodyToAskItSaysSo() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        let error = await #expect(throws: HostError.self) {
            try await world.host.activate(Self.id, holder: "me", prompt: nil)
        }
        #expect(error?.code == .authorizationRequired)
        await world.finish()
    }

    @Test func aCrashInBetweenFailsTheActivation() async throws {
        let runner = ScriptedRunner { _ in [] }
        let world = HostUnderTest(runner)
        await world.discover()
        let activation = Task { try await world.host.activate(Self.id, holder: "me", prompt: nil) }
        await world.until { _ in runner.calls.contains { if case .activate = $0 { true } else { false } } }
        runner.emit(.crashed(HostError(.extensionCrashed, "It died.")))
        await #expect(throws: HostError(.extensionCrashed, "It died.")) { try await activation.value }
        #expect(await world.host.devices.first?.activation == .idle)
        await world.finish()
    }

    @Test func anExtensionThatNeverAnswersTimesOut() async throws {
        var timing = HostTiming.withoutLingering
        timing.activation = .milliseconds(20)
        let world = HostUnderTest(ScriptedRunner { _ in [] }, timing: timing)
        await world.discover()
        let error = await #expect(throws: HostError.self) {
            try await world.host.activate(Self.id, holder: "me", prompt: nil)
        }
        #expect(error?.code == .timedOut)
        await world.finish()
    }

    @Test func messagesOfAnEarlierProcessAreVoid() async throws {
        let world = HostUnderTest(ScriptedRunner(script: Self.open))
        await world.discover()
        var renamed = HostUnderTest.device
        renamed.name = "Ghost"
        world.runner.emit(.message(.updateDevices([renamed])), generation: 0)
        world.runner.emit(.message(.volumeChanged(device: Self.id, level: 0.25, isMuted: false)))
        await world.until { await $0.devices.first?.level == 0.25 }
        #expect(await world.host.devices.first?.description.name == "Living Room")
        await world.finish()
    }

    @Test func forgettingRemovesCredentialAndMemory() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        try await world.host.pair(Self.id) { _, _ in "sesame" }
        await world.until { await $0.devices.first?.isPaired == true }
        await world.until { _ in !world.store.remembered.isEmpty }
        try await world.host.forget(Self.id)
        #expect(world.store.paired.isEmpty)
        #expect(world.store.remembered.isEmpty)
        #expect(await world.host.devices.first?.isPaired == false)
        await world.finish()
    }

    @Test func aBurstOfDevicesIsRememberedWhole() async {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        for number in 0..<200 {
            var device = HostUnderTest.device
            device.id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 9) + String(1000 + number).suffix(3)
            world.runner.emit(.message(.foundDevice(device)))
        }
        await world.until { _ in world.store.remembered.count == 201 }
        await world.finish()
    }
}

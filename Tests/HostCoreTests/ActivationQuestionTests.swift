import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// The questions of an activation: answered, cancelled, taken back.
@Suite(.timeLimit(.minutes(1)))
struct ActivationQuestionTests {
    private static let id = HostUnderTest.device.id

    @Test func cancellingTellsTheExtension() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        let error = await #expect(throws: HostError.self) { try await world.host.pair(Self.id) { _, _ in nil } }
        #expect(error?.code == .cancelled)
        await world.until { _ in
            world.runner.calls.contains { if case .connectUsingPairingCode(nil, _, _) = $0 { true } else { false } }
        }
        await world.finish()
    }

    @Test(arguments: [true, false])
    func whatEndsTheDeviceEndsTheQuestion(givesUp: Bool) async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        let isPromptCancelled = Mutex(false)
        let request = Task {
            try await world.host.pair(Self.id) { _, _ in
                await Self.waitUntilCancelled()
                isPromptCancelled.withLock { $0 = true }
                throw CancellationError()
            }
        }
        await world.until { await $0.devices.first?.activation == .awaitingCode }
        let session = world.runner.activations.last
        let error = HostError(givesUp ? .unreachable : .extensionCrashed, "It went away.")
        world.runner.emit(
            givesUp
                ? .message(.failedToActivate(device: Self.id, session: session ?? "", error: error)) : .crashed(error))
        await #expect(throws: error) { try await request.value }
        await world.until { _ in isPromptCancelled.withLock { $0 } }
        #expect(await world.host.devices.first?.activation == .idle)
        #expect(!world.runner.calls.contains { if case .connectUsingPairingCode = $0 { true } else { false } })
        // It isn't counted as a wrong code, and the next attempt begins anew.
        if givesUp { try await world.host.pair(Self.id) { _, _ in "sesame" } }
        await world.finish()
    }

    /// Each question takes back the one before.
    @Test func aDeviceThatNeverStopsAskingIsLeft() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        let asked = Mutex(0)
        await #expect(throws: HostError(.authorizationFailed, "Living Room asked too many questions.")) {
            try await world.host.pair(Self.id) { [runner = world.runner] device, challenge in
                let session = runner.activations.last
                asked.withLock { $0 += 1 }
                runner.emit(
                    .message(.requestPairingCode(device: device.id, session: session ?? "", challenge: challenge)))
                await Self.waitUntilCancelled()
                throw CancellationError()
            }
        }
        #expect(asked.withLock { $0 } == MediaHost.mostQuestions)
        #expect(await world.host.devices.first?.activation == .idle)
        await world.finish()
    }

    /// A person who never answers.
    private static func waitUntilCancelled() async {
        let (answers, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in answers {}
        withExtendedLifetime(continuation) {}
    }

    /// The prompt of the first request is never answered.
    @Test func anActivationThatWaitsForACodeCanBeEndedAndBegunAnew() async throws {
        let world = HostUnderTest(ScriptedRunner.locked("sesame"))
        await world.discover()
        let isPromptCancelled = Mutex(false)
        let first = Task {
            try await world.host.activate(Self.id, holder: "first") { _, _ in
                await Self.waitUntilCancelled()
                isPromptCancelled.withLock { $0 = true }
                throw CancellationError()
            }
        }
        await world.until { await $0.devices.first?.activation == .awaitingCode }
        let joined = Task { try await world.host.activate(Self.id, holder: "joined", prompt: nil) }
        for _ in 0..<1_000 { await Task.yield() }
        let ending = Task { try await world.host.deactivate(Self.id) }
        await world.until { await $0.devices.first?.activation == .idle }
        try await world.host.activate(Self.id, holder: "next") { _, _ in "sesame" }
        try await ending.value
        for request in [first, joined] {
            await #expect(throws: HostError(.cancelled, "The activation of Living Room was cancelled.")) {
                try await request.value
            }
        }
        #expect(isPromptCancelled.withLock { $0 })
        #expect(await world.host.devices.first?.activation == .active)
        #expect(await world.host.devices.first?.lastError == nil)
        let sessions = Set(world.runner.activations)
        let ended = world.runner.calls.compactMap { if case .deactivate(_, let session) = $0 { session } else { nil } }
        #expect(sessions.count == 2 && ended.count == 1 && sessions.contains(ended[0]))
        await world.finish()
    }

    /// An extension whose device is confirmed on itself; the person's input here changes nothing.
    private static func confirmed() -> ScriptedRunner {
        ScriptedRunner { call in
            switch call {
            case .activate(let device, let session, _, _):
                let challenge = PairingChallenge(method: .none, reason: "Press the button")
                return [.requestPairingCode(device: device.id, session: session, challenge: challenge)]
            case .connectUsingPairingCode(let code?, let device, let session):
                return code.isEmpty ? [.activatedDevice(device: device, session: session)] : []
            default: return []
            }
        }
    }

    @Test func aConfirmationOnTheDeviceNeedsNoAnswerHere() async throws {
        let runner = Self.confirmed()
        let world = HostUnderTest(runner)
        await world.discover()
        try await world.host.pair(Self.id) { device, challenge in
            #expect(challenge.method == .none)
            runner.emit(.message(.activatedDevice(device: device.id, session: runner.activations.last ?? "")))
            // The person never presses Return.
            await Self.waitUntilCancelled()
            throw CancellationError()
        }
        #expect(!runner.calls.contains { if case .connectUsingPairingCode = $0 { true } else { false } })
        await world.finish()
    }

    @Test func aConfirmationMayBeToldHereOrCancelled() async throws {
        let world = HostUnderTest(Self.confirmed())
        await world.discover()
        try await world.host.pair(Self.id) { _, _ in "" }
        await world.finish()

        let other = HostUnderTest(Self.confirmed())
        await other.discover()
        let error = await #expect(throws: HostError.self) { try await other.host.pair(Self.id) { _, _ in nil } }
        #expect(error?.code == .cancelled)
        await other.finish()
    }
}

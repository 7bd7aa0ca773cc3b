import Foundation
import HostInterface
import LinkProtocol
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct ClosingTests {
    private static let id = HostUnderTest.device.id

    private static func isDeactivation(_ call: ExtensionCall) -> Bool {
        if case .deactivate = call { true } else { false }
    }

    /// Requests for a device that is being released wait, and activate it in a new session: the extension ends the old one.
    @Test(arguments: 1...3) func aDeviceThatIsBeingReleasedIsActivatedAgain(clients: Int) async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let runner = AdoptingExtension().runner { call in
            if Self.isDeactivation(call) { for await _ in gate {} }
        }
        let world = HostUnderTest(runner)
        await world.discover()
        try await world.host.activate(Self.id, holder: "first", prompt: nil)
        let releasing = Task { await world.host.releaseAll(holder: "first") }
        await world.until { _ in runner.calls.contains(where: Self.isDeactivation) }
        let others = (1...clients).map { client in
            Task { try await world.host.activate(Self.id, holder: "client \(client)", prompt: nil) }
        }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(runner.activations.count == 1)
        opener.finish()
        await releasing.value
        for other in others { try await other.value }
        let sessions = runner.activations
        #expect(sessions.count == 2 && sessions.first != sessions.last)
        #expect(await world.host.devices.first?.activation == .active)
        await world.finish()
    }

    /// The way in which a route fails.
    enum Failure: CaseIterable, Sendable { case byTheDevice, byTheDeviceAfterARelease, notRecovered }

    /// Requests for a device whose route failed wait until what played there is stopped, and activate it again.
    @Test(arguments: Failure.allCases) func aDeviceThatFailedIsActivatedAgain(_ failure: Failure) async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let script = AdoptingExtension()
        let runner = script.runner { call in
            if case .stopSession = call { for await _ in gate {} }
        }
        let world = HostUnderTest(runner)
        await world.discover()
        let session = try await world.host.play(
            URL(string: "http://media.example/film.mp4")!, on: Self.id, application: nil, media: MediaInformation(),
            prompt: nil)
        let first = try #require(runner.activations.last)
        let isStop = { @Sendable (call: ExtensionCall) in call == .stopSession(session: first) }
        var stopping: Task<Void, any Error>?
        let lost = ExtensionMessage.failedToActivate(
            device: Self.id, session: first, error: HostError(.unreachable, "It is off."))
        switch failure {
        case .byTheDevice: runner.emit(.message(lost))
        case .byTheDeviceAfterARelease:
            stopping = Task { try await world.host.deactivate(Self.id) }
            await world.until { _ in runner.calls.contains(where: isStop) }
            runner.emit(.message(lost))
            await world.until { await $0.devices.first?.lastError != nil }
        case .notRecovered:
            script.activation = HostError(.authorizationFailed, "Not you again.")
            runner.crash()
            runner.restart()
        }
        await world.until { _ in runner.calls.contains(where: isStop) }
        script.activation = nil
        let earlier = runner.activations.count
        let other = Task { try await world.host.activate(Self.id, holder: "other", prompt: nil) }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(runner.activations.count == earlier)
        opener.finish()
        try await other.value
        try await stopping?.value
        #expect(runner.activations.count == earlier + 1 && runner.activations.last != first)
        #expect(runner.calls.count(where: isStop) == 1)
        // A person's stop is a stop, whatever happens to the device meanwhile.
        #expect(await world.states(of: session).last == (stopping == nil ? .failed : .ended))
        #expect(await world.host.devices.first?.activation == .active)
        await world.finish()
    }
}

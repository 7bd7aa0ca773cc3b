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

    /// The session of every activation, in order.
    private static func activated(_ calls: [ExtensionCall]) -> [String] {
        calls.compactMap { if case .activate(_, let session, _, _) = $0 { session } else { nil } }
    }

    /// Requests for a device that is being released wait, and activate it in a new session: the extension ends the old one.
    @Test(arguments: 1...3) func aDeviceThatIsBeingReleasedIsActivatedAgain(clients: Int) async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let runner = ScriptedRunner(performing: { call in
            if Self.isDeactivation(call) { for await _ in gate {} }
        }) { call in
            guard case .activate(let device, let session, _, _) = call else { return [] }
            return [.activatedDevice(device: device.id, session: session)]
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
        #expect(Self.activated(runner.calls).count == 1)
        opener.finish()
        await releasing.value
        for other in others { try await other.value }
        let sessions = Self.activated(runner.calls)
        #expect(sessions.count == 2 && sessions.first != sessions.last)
        #expect(await world.host.devices.first?.activation == .active)
        await world.finish()
    }
}

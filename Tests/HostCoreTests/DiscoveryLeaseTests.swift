import HostInterface
import Synchronization
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct DiscoveryLeaseTests {
    /// A client that leaves while the extensions are being started.
    @Test func aLeaseThatEndsWhileItIsTakenKeepsNothingRunning() async {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let waits = Mutex(false)
        let runner = ScriptedRunner(
            acquiring: {
                waits.withLock { $0 = true }
                for await _ in gate {}
            }, script: { _ in [] })
        let world = HostUnderTest(runner)
        let taking = Task { await world.host.takeLease("first") }
        await world.until { _ in waits.withLock { $0 } }
        await world.host.endLease("first")
        opener.finish()
        await taking.value
        #expect(runner.reasons.isEmpty)
        await world.finish()
    }

    /// The first one's start serves the second one too.
    @Test func aLeaseThatJoinedMeanwhileKeepsThemRunning() async {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let waits = Mutex(false)
        let runner = ScriptedRunner(
            acquiring: {
                waits.withLock { $0 = true }
                for await _ in gate {}
            }, script: { _ in [] })
        let world = HostUnderTest(runner)
        let taking = Task { await world.host.takeLease("first") }
        await world.until { _ in waits.withLock { $0 } }
        await world.host.takeLease("second")
        await world.host.endLease("first")
        opener.finish()
        await taking.value
        #expect(runner.reasons == ["discovery"])
        await world.finish()
    }
}

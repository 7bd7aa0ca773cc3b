import Foundation
import HostInterface
import LinkProtocol
import ManualTime
import Synchronization
import Testing

@testable import HostCore

/// Devices listed as ready have answered within the last seconds.
@Suite(.timeLimit(.minutes(1)))
struct ConfirmationTests {
    private let id = HostUnderTest.device.id

    /// A host whose first look is complete, with the device of the test in it.
    private func home(
        _ discovery: AnsweringDiscovery, clock: ManualClock, lingering: Duration = .seconds(10)
    ) async -> HostUnderTest {
        var timing = HostTiming()
        timing.lingering = lingering
        let world = HostUnderTest(ScriptedRunner { _ in [] }, discovery: discovery, clock: clock, timing: timing)
        await world.discover()
        await world.advance(clock, by: timing.settling) { await $0.isSettled }
        return world
    }

    private func availability(_ world: HostUnderTest) async -> HostDevice.Availability? {
        await world.host.devices.first?.availability
    }

    @Test func whenNobodyLooksAnyMoreDevicesAreOnlyRemembered() async {
        let clock = ManualClock()
        let world = await home(AnsweringDiscovery(), clock: clock)
        await world.host.endLease("test")
        #expect(await availability(world) == .ready, "discovery goes on for a while")
        await world.advance(clock, by: .seconds(10)) { await $0.devices.first?.availability == .remembered }
        #expect(await !world.host.isSettled && world.runner.calls.contains(.stopDeviceDiscovery))
        await world.finish()
    }

    /// Goodbyes count without a lease, too.
    @Test func whatSaysGoodbyeAfterTheLastLeaseGoesAtOnce() async {
        let world = await home(AnsweringDiscovery(), clock: ManualClock())
        await world.host.endLease("test")
        world.runner.emit(.message(.lostDevice(id: id)))
        await world.until { await $0.devices.isEmpty }
        await world.finish()
    }

    @Test func whileSomebodyLooksAnotherLeaseIsSettledWithTheAnswers() async {
        let discovery = AnsweringDiscovery()
        let world = await home(discovery, clock: ManualClock())
        discovery.hold()
        await world.host.takeLease("second")
        await world.until { _ in discovery.asked == [HostUnderTest.device.endpoints] }
        #expect(await world.host.leases.told == ["test": true, "second": false])
        #expect(await availability(world) == .ready, "it is being asked")
        discovery.answer(true)
        await world.until { await $0.leases.told["second"] == true }
        #expect(await availability(world) == .ready)
        await world.finish()
    }

    @Test func whatDoesNotAnswerInTimeIsRememberedUntilItDoes() async {
        let (discovery, clock) = (AnsweringDiscovery(), ManualClock())
        let world = await home(discovery, clock: clock)
        discovery.hold()
        await world.host.takeLease("second")
        #expect(await world.host.leases.told["second"] == false)
        await world.advance(clock, by: .milliseconds(100)) { await $0.devices.first?.availability == .remembered }
        #expect(await world.host.leases.told["second"] == true)
        #expect(await world.availabilities() == [.ready, .checking, .remembered])
        discovery.answer(true)
        await world.until { await $0.devices.first?.availability == .ready }
        await world.finish()
    }

    /// Its extension has not lost it, and will not tell that it is back.
    @Test func whatDidNotAnswerIsAskedAgain() async {
        let (discovery, clock) = (AnsweringDiscovery(), ManualClock())
        let world = await home(discovery, clock: clock)
        discovery.set(false)
        await world.host.takeLease("second")
        await world.until { await $0.devices.first?.availability == .remembered }
        discovery.set(true)
        await world.advance(clock, by: .seconds(1)) { await $0.devices.first?.availability == .ready }
        await world.finish()
    }

    /// Its extension loses it seconds later.
    @Test func whatLeavesATryUnansweredIsAskedAtOnce() async {
        let (discovery, clock) = (AnsweringDiscovery(), ManualClock())
        let world = await home(discovery, clock: clock)
        discovery.doubt(["192.0.2.77:1"])
        discovery.doubt(HostUnderTest.device.endpoints)
        await world.until { _ in discovery.asked == [HostUnderTest.device.endpoints] }
        #expect(await availability(world) == .ready, "it answered")
        discovery.set(false)
        discovery.doubt(HostUnderTest.device.endpoints)
        await world.until { await $0.devices.first?.availability == .remembered }
        discovery.set(true)
        await world.advance(clock, by: .seconds(1)) { await $0.devices.first?.availability == .ready }
        await world.finish()
    }

    @Test func aLaterLookTakesAMomentForNewcomersAndAsksAtOnce() async {
        let (discovery, clock) = (AnsweringDiscovery(), ManualClock())
        let world = await home(discovery, clock: clock, lingering: .zero)
        await world.host.endLease("test")
        #expect(await availability(world) == .remembered)
        await world.host.takeLease("second")
        await world.until { await $0.devices.first?.availability == .ready }
        #expect(await world.host.leases.told == ["second": false])
        await world.advance(clock, by: HostTiming().renewal) { await $0.leases.told == ["second": true] }
        await world.finish()
    }

    @Test func aDeviceOfAnEarlierRunIsReadyByItsExtensionsWordAlone() async {
        let (discovery, clock) = (AnsweringDiscovery(), ManualClock())
        let store = MemoryStore()
        let known = CachedDevice(
            description: HostUnderTest.device, extensionIdentifier: "org.example.test", lastSeen: .distantPast)
        store.devices.withLock { $0["home"] = [known] }
        let runner = ScriptedRunner { _ in [] }
        let world = HostUnderTest(runner, discovery: discovery, clock: clock, store: store)
        runner.emit(.status(await runner.statuses()[0]))
        await world.until { await !$0.extensions.isEmpty }
        await world.host.takeLease("test")
        #expect(await availability(world) == .checking)
        await world.until { _ in !discovery.asked.isEmpty }
        await world.advance(clock, by: HostTiming().settling) { await $0.leases.told["test"] == true }
        #expect(await availability(world) == .remembered, "something answers there, but nobody knows who")
        runner.emit(.message(.foundDevice(HostUnderTest.device)))
        await world.until { await $0.devices.first?.availability == .ready }
        await world.finish()
    }

    @Test func aForgottenDeviceIsNotReady() async throws {
        let discovery = AnsweringDiscovery()
        let world = await home(discovery, clock: ManualClock())
        discovery.set(false)
        try await world.host.forget(id)
        await world.until { await $0.devices.isEmpty }
        await world.finish()
    }

    @Test func aForgottenDeviceThatNobodyLooksForIsNotListed() async throws {
        let world = await home(AnsweringDiscovery(), clock: ManualClock(), lingering: .zero)
        await world.host.endLease("test")
        try await world.host.forget(id)
        #expect(await world.host.devices.isEmpty)
        await world.finish()
    }

    @Test func aForgottenDeviceThatAnswersIsStillThere() async throws {
        let world = await home(AnsweringDiscovery(), clock: ManualClock())
        try await world.host.forget(id)
        await world.until { await $0.devices.first?.availability == .ready }
        await world.finish()
    }

    /// The next process reports the devices that are present.
    @Test func whatACrashedExtensionReportedIsOnlyRemembered() async {
        let (discovery, clock) = (AnsweringDiscovery(), ManualClock())
        let world = await home(discovery, clock: clock)
        world.runner.crash()
        await world.until { await $0.devices.first?.availability == .remembered }
        world.runner.restart()
        world.runner.emit(.message(.foundDevice(HostUnderTest.device)))
        await world.until { await $0.devices.first?.availability == .ready }
        await world.finish()
    }
}

/// Answers for every device as the test says.
private final class AnsweringDiscovery: DiscoveryProvider {
    private struct State {
        /// The answer for every device; `nil` waits for the test.
        var answer: Bool? = true
        var asked: [[String]] = []
        var waiting: [CheckedContinuation<Bool?, Never>] = []
    }
    private let state = Mutex(State())
    private let doubtful = AsyncStream.makeStream(of: [String].self)

    var asked: [[String]] { state.withLock { $0.asked } }

    func set(_ isThere: Bool) { state.withLock { $0.answer = isThere } }
    func hold() { state.withLock { $0.answer = nil } }

    /// Answers all waiting and future requests.
    func answer(_ isThere: Bool) {
        let waiting = state.withLock { state in
            state.answer = isThere
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: isThere) }
    }

    func confirm(_ endpoints: [String]) async -> Bool? {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state in
                state.asked.append(endpoints)
                if state.answer == nil { state.waiting.append(continuation) }
                return state.answer
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    deinit { answer(false) }

    func doubts() async -> AsyncStream<[String]> { doubtful.stream }
    func doubt(_ endpoints: [String]) { doubtful.continuation.yield(endpoints) }

    func browse(_ request: BrowseRequest) async -> AsyncStream<[BrowseEvent]> { AsyncStream { $0.finish() } }
    func watch(_ endpoints: [String], isInUse: Bool) async -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
    func search(_ address: ManualAddress, for kinds: [DeclaredKind]) async throws(HostError) -> [ManualDevice.Finding] {
        throw HostError(.unreachable, "Nothing answers.")
    }
    func setManual(_ findings: [ManualDevice.Finding]) async {}
    func limits() async -> AsyncStream<[HostError]> { AsyncStream { $0.finish() } }
}

extension HostUnderTest {
    /// Returns the published availabilities of devices, without repetitions.
    fileprivate func availabilities() async -> [HostDevice.Availability] {
        await host.published()
        return published.withLock { changes in
            changes.compactMap { if case .device(let device) = $0 { device.availability } else { nil } }
        }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// Advances time until `condition` is true: the host may begin to wait only after the first step.
    fileprivate func advance(
        _ clock: ManualClock, by duration: Duration, until condition: (MediaHost) async -> Bool
    ) async {
        var steps = 0
        while await !condition(host) {
            if steps % 50 == 0 { clock.advance(by: duration) }
            steps += 1
            await Task.yield()
        }
    }
}

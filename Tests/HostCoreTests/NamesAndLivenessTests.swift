import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// A person's names for devices, and the monitoring of a device in use.
@Suite(.timeLimit(.minutes(1)))
struct NamesAndLivenessTests {
    private static let accepting: @Sendable (ExtensionCall) -> [ExtensionMessage] = { call in
        guard case .activate(let device, let session, _, _) = call else { return [] }
        return [.activatedDevice(device: device.id, session: session)]
    }

    private let id = HostUnderTest.device.id

    @Test func thePersonsNameIsShownAndStored() async throws {
        let world = HostUnderTest(ScriptedRunner { _ in [] })
        await world.discover()
        try await world.host.rename(id, to: "  Küche ")
        var device = try #require(await world.host.devices.first)
        #expect(device.description.name == "Küche" && device.deviceName == "Living Room" && device.ownName == "Küche")
        #expect(world.store.names.withLock { $0 } == [id: "Küche"])
        // The extension sees it again, by its own name, and as it was handed it.
        var seen = HostUnderTest.device
        for name in ["Living Room", "Küche"] {
            seen.name = name
            seen.canGroup.toggle()
            let wanted = seen
            world.runner.emit(.message(.updateDevices([seen])))
            await world.until { await $0.devices.first?.description.canGroup == wanted.canGroup }
            device = try #require(await world.host.devices.first)
            #expect(device.description.name == "Küche" && device.deviceName == "Living Room")
        }
        try await world.host.rename(id, to: "")
        device = try #require(await world.host.devices.first)
        #expect(device.description.name == "Living Room" && device.ownName == nil)
        #expect(world.store.names.withLock { $0 }.isEmpty)
        await world.finish()
    }

    @Test func impossibleNamesAreRefused() async throws {
        let world = HostUnderTest(ScriptedRunner { _ in [] })
        await world.discover()
        for name in ["a\nb", String(repeating: "x", count: 201)] {
            let error = await #expect(throws: HostError.self) { try await world.host.rename(id, to: name) }
            #expect(error?.code == .invalidArgument)
        }
        let error = await #expect(throws: HostError.self) { try await world.host.rename("nobody", to: "x") }
        #expect(error?.code == .noSuchDevice)
        await world.finish()
    }

    @Test func aDeviceInUseThatFallsSilentIsSoughtUntilItIsBack() async throws {
        let discovery = ScriptedDiscovery()
        let world = HostUnderTest(ScriptedRunner(script: Self.accepting), discovery: discovery)
        await world.discover()
        try await world.host.activate(id, holder: "test", prompt: nil)
        await world.host.endLease("test")
        await world.until { _ in world.runner.calls.last == .stopDeviceDiscovery }
        await world.until { _ in discovery.watched == [HostUnderTest.device.endpoints] }

        discovery.say(false)
        await world.until { await $0.devices.first?.availability == .unreachable }
        await world.until { _ in world.runner.calls.last == .startDeviceDiscovery }
        discovery.say(true)
        await world.until { await $0.devices.first?.availability == .ready }
        await world.until { _ in world.runner.calls.last == .stopDeviceDiscovery }
        #expect(await world.host.devices.first?.activation == .active)
        await world.finish()
    }

    @Test func aDeviceInUseThatMovedIsLookedAfterWhereItIs() async throws {
        let discovery = ScriptedDiscovery()
        let world = HostUnderTest(ScriptedRunner(script: Self.accepting), discovery: discovery)
        await world.discover()
        try await world.host.activate(id, holder: "test", prompt: nil)
        var moved = HostUnderTest.device
        moved.endpoints = ["10.0.0.9:1400"]
        world.runner.emit(.message(.updateDevices([moved])))
        await world.until { _ in discovery.watched.last == ["10.0.0.9:1400"] }
        try await world.host.deactivate(id)
        await world.until { _ in discovery.openCount == 0 }
        await world.finish()
    }

    @Test func addressesThatWereNotAddedCannotBeRemoved() async {
        let world = HostUnderTest(ScriptedRunner { _ in [] })
        let error = await #expect(throws: HostError.self) { try await world.host.removeDevice("10.0.0.5") }
        #expect(error?.code == .noSuchDevice)
        await world.finish()
    }
}

/// Reports for every watched device what the test says.
final class ScriptedDiscovery: DiscoveryProvider {
    private struct State {
        var watched: [[String]] = []
        var open: [Int: AsyncStream<Bool>.Continuation] = [:]
    }
    private let state = Mutex(State())

    var watched: [[String]] { state.withLock { $0.watched } }
    var openCount: Int { state.withLock { $0.open.count } }

    func say(_ isThere: Bool) {
        for continuation in state.withLock({ $0.open.values }) { continuation.yield(isThere) }
    }

    func browse(_ request: BrowseRequest) async -> AsyncStream<[BrowseEvent]> { AsyncStream { $0.finish() } }

    func watch(_ endpoints: [String], isInUse: Bool) async -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let number = state.withLock { state in
            state.watched.append(endpoints)
            state.open[state.watched.count] = continuation
            return state.watched.count
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.open.removeValue(forKey: number) }
        }
        return stream
    }

    func search(_ address: ManualAddress, for kinds: [DeclaredKind]) async throws(HostError) -> [ManualDevice.Finding] {
        throw HostError(.unreachable, "Nothing answers.")
    }

    func confirm(_ endpoints: [String]) async -> Bool? { nil }
    func doubts() async -> AsyncStream<[String]> { AsyncStream { $0.finish() } }
    func setManual(_ findings: [ManualDevice.Finding]) async {}
    func limits() async -> AsyncStream<[HostError]> { AsyncStream { $0.finish() } }
}

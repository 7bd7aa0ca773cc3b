import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// A person's settings of an extension, and extensions that come and go.
@Suite(.timeLimit(.minutes(1)))
struct ExtensionWishTests {
    private static let identifier = "org.example.test"
    private let runner = ScriptedRunner { call in
        guard case .activate(let device, let session, _, _) = call else { return [] }
        return [.activatedDevice(device: device.id, session: session)]
    }

    private func status(_ identifier: String, _ state: ExtensionStatus.State) -> ExtensionStatus {
        ExtensionStatus(id: identifier, name: "Test", path: "/nowhere", state: state)
    }

    @Test func switchingOffIsRememberedAndTakesItsDevicesAway() async throws {
        let world = HostUnderTest(runner)
        await world.discover()
        try await world.host.setExtension(Self.identifier, isEnabled: false)
        #expect(world.store.disabled.withLock { $0 } == [Self.identifier])
        #expect(await world.host.devices.isEmpty)
        #expect(await world.host.extensions.map(\.state) == [.disabled])

        try await world.host.setExtension(Self.identifier, isEnabled: true)
        #expect(world.store.disabled.withLock { $0.isEmpty })
        #expect(await world.host.extensions.map(\.state) == [.idle])
        await world.finish()
    }

    @Test func whatIsInUseEndsWithItsExtension() async throws {
        let world = HostUnderTest(runner)
        await world.discover()
        try await world.host.activate(HostUnderTest.device.id, holder: "client", prompt: nil)
        try await world.host.setExtension(Self.identifier, isEnabled: false)
        await world.until { await $0.devices.isEmpty }
        #expect(!runner.reasons.contains("route:" + HostUnderTest.device.id))
        await #expect(throws: HostError.self) {
            try await world.host.activate(HostUnderTest.device.id, holder: "client", prompt: nil)
        }
        await world.finish()
    }

    @Test func aReloadIsDoneWhenTheCallReturnsAndItsFailureIsTold() async throws {
        let world = HostUnderTest(runner)
        await world.until { await $0.extensions.count == 1 }
        for generation in 1...20 {
            try await world.host.reloadExtension(Self.identifier)
            #expect(await world.host.extensions.first?.generation == generation)
        }
        runner.fail(HostError(.extensionCrashed, "It ended."))
        await #expect(throws: HostError(.extensionCrashed, "It ended.")) {
            try await world.host.reloadExtension(Self.identifier)
        }
        await world.finish()
    }

    @Test func unknownAndUnusableOnesAreRefused() async throws {
        let world = HostUnderTest(runner)
        await world.until { await $0.extensions.count == 1 }
        do {
            try await world.host.setExtension("org.example.none", isEnabled: false)
            Issue.record("it was switched off")
        } catch let error as HostError {
            #expect(error.code == .noSuchExtension)
        }
        var broken = status("broken.mdext", .invalidManifest)
        broken.lastError = "It is broken."
        runner.emit(.status(broken))
        await world.until { await $0.extensions.count == 2 }
        await #expect(throws: HostError(.extensionUnusable, "It is broken.")) {
            try await world.host.setExtension("broken.mdext", isEnabled: false)
        }
        #expect(world.store.disabled.withLock { $0.isEmpty })
        await world.finish()
    }

    @Test func oneThatComesWhileSomebodyLooksLooksToo() async throws {
        let world = HostUnderTest(runner)
        await world.host.takeLease("test")
        #expect(runner.acquisitions == [Self.identifier: 1])
        runner.emit(.status(status("org.example.new", .idle)))
        runner.emit(.status(status("org.example.off", .disabled)))
        await world.until { _ in runner.acquisitions["org.example.new"] == 1 }
        // Further status reports don't acquire it again.
        runner.emit(.status(status("org.example.new", .running)))
        runner.emit(.status(status("org.example.off", .idle)))
        await world.until { _ in runner.acquisitions["org.example.off"] == 1 }
        #expect(runner.acquisitions == [Self.identifier: 1, "org.example.new": 1, "org.example.off": 1])
        await world.host.endLease("test")
        #expect(runner.acquisitions.isEmpty)
        await world.finish()
    }

    @Test func oneThatGoesTakesItsDevicesWithItAndMayComeBack() async throws {
        let world = HostUnderTest(runner)
        await world.discover()
        runner.emit(.stopped)
        runner.emit(.removed)
        await world.until { await $0.extensions.isEmpty }
        #expect(await world.host.devices.isEmpty)
        await world.host.published()
        #expect(
            world.published.withLock { changes in
                changes.contains { if case .extensionRemoved(Self.identifier) = $0 { true } else { false } }
            })
        runner.emit(.status(status(Self.identifier, .idle)))
        await world.until { _ in runner.acquisitions[Self.identifier] == 2 }
        await world.finish()
    }
}

import HostInterface
import LinkProtocol
import Synchronization
import Testing

@testable import HostCore

/// Extensions declare which of their devices are one.
@Suite(.timeLimit(.minutes(1)))
struct DeclaredIdentityTests {
    private static let same: @Sendable (inout DeviceDescription, inout DeviceDescription) -> Void = { living, open in
        living.deduplicationIdentifiers = ["upnp:abcd-1"]
        open.deduplicationIdentifiers = ["mac:0011223344aa", "upnp:abcd-1"]
    }

    @Test func theyAreOneFromTheBeginning() async throws {
        let home = ReceiverOfTwo(Self.same)
        await home.discover()
        let device = try #require(await home.host.devices.first)
        #expect(await home.host.devices.count == 1)
        #expect(device.id == home.living.id && device.parts.map(\.isDeclared) == [false, true])
        #expect(await !home.told().contains { $0.contains("Open Room") }, "the other one was never seen by itself")
        await home.world.until { _ in home.world.store.one.withLock { $0.merges.count } == 1 }
        await home.world.finish()
    }

    @Test func whoeverIsFoundFirstTheyKeepTheirNameInTheNextDaemon() async throws {
        let home = ReceiverOfTwo(Self.same)
        await home.discover()
        await home.world.finish()
        let later = ReceiverOfTwo(store: home.world.store, Self.same)
        await later.host.takeLease("test")
        await later.find(later.open, later.mpdRunner)
        await later.find(later.living, later.dlnaRunner)
        #expect(await later.host.devices.map(\.id) == [later.living.id])
        #expect(await later.host.names == ["Living Room"])
        await later.world.finish()
    }

    @Test func oneThatIsListedJoinsWhenItSaysSo() async throws {
        let home = ReceiverOfTwo()
        await home.discover()
        let (living, open) = {
            var (living, open) = (home.living, home.open)
            Self.same(&living, &open)
            return (living, open)
        }()
        home.dlnaRunner.emit(.message(.updateDevices([living])))
        await home.world.until { await $0.registry[living.id]?.description == living }
        home.mpdRunner.emit(.message(.updateDevices([open])))
        await home.world.until { await $0.devices.count == 1 }
        #expect(await home.told().suffix(3).contains("-Open Room"))
        // And leaves when it does not.
        home.mpdRunner.emit(.message(.updateDevices([home.open])))
        await home.world.until { await $0.devices.count == 2 }
        await home.world.finish()
    }

    @Test func aPersonsWordCountsMore() async throws {
        let home = ReceiverOfTwo(Self.same)
        await home.discover()
        #expect(try await home.host.splitDevice(home.living.id).count == 2)
        #expect(await home.host.names == ["Living Room", "Open Room"])
        await home.lose(home.open, home.mpdRunner)
        await home.find(home.open, home.mpdRunner)
        #expect(await home.host.names == ["Living Room", "Open Room"])
        await home.world.finish()

        let later = ReceiverOfTwo(store: home.world.store, Self.same)
        await later.discover()
        #expect(await later.host.names == ["Living Room", "Open Room"])
        _ = try await later.host.mergeDevices([later.open.id, later.living.id])
        #expect(await later.host.names == ["Open Room"])
        await later.world.finish()
    }

    @Test func aForeignIdentifierJoinsNothing() async throws {
        let home = ReceiverOfTwo(Self.same)
        await home.host.takeLease("test")
        await home.find(home.living, home.dlnaRunner)
        // The other extension uses an identifier that is not its own, and is not heard.
        var stolen = home.open
        stolen.id = home.living.id
        home.mpdRunner.emit(.message(.foundDevice(stolen)))
        await home.find(home.open, home.mpdRunner)
        #expect(await home.host.devices.first?.parts.map(\.id) == [home.living.id, home.open.id])
        #expect(await home.host.devices.first?.parts.map(\.protocolName) == ["DLNA", "MPD"])
        await home.world.finish()
    }
}

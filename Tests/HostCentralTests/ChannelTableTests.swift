import DBus
import Glibc
import HostInterface
import Testing

@testable import BlueZ
@testable import HostCentral
@testable import KernelBluetooth

@Suite struct ChannelTableTests {
    private func pair() throws -> (DBusDescriptor, DBusDescriptor) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (DBusDescriptor(received: ends[0]), DBusDescriptor(received: ends[1]))
    }

    /// The extension has a descriptor of the same socket, which has to be of no use afterwards.
    @Test func closingEndsTheChannelForTheExtensionToo() throws {
        let (own, peer) = try pair()
        let extensions = DBusDescriptor(received: dup(own.number))
        var table = ChannelTable()
        table.begin(4, Task {})
        #expect(table.contains(4) && table.count == 1)
        let isWanted = table.end(4, own)
        #expect(isWanted)
        table.close(5)
        #expect(table.count == 1)
        table.closeAll()
        #expect(table.count == 0)
        var byte: UInt8 = 0
        #expect(read(peer.number, &byte, 1) == 0)
        #expect(send(extensions.number, &byte, 1, Int32(MSG_NOSIGNAL)) == -1)
    }

    @Test func anOpeningThatIsClosedIsCancelledAndNotWanted() async throws {
        var table = ChannelTable()
        let opening = Task { while !Task.isCancelled { await Task.yield() } }
        table.begin(1, opening)
        table.close(1)
        await opening.value
        let (own, _) = try pair()
        let isWanted = table.end(1, own)
        #expect(!isWanted && !table.contains(1))
        table.begin(2, Task {})
        let isNoted = table.end(2, nil)
        #expect(isNoted && table.count == 0, "one that failed takes no place")
    }

    @Test func theEndsOfAChannelAreTheControllersAndTheDevices() throws {
        let device = BluetoothDevice(
            BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_1"),
            ["Address": .string("F0:F1:F2:F3:F4:F1"), "AddressType": .string("random")])
        let controller = BluetoothAdapter(
            BlueZIdentifier(rawValue: "/org/bluez/hci0"),
            ["Address": .string("00:AA:01:00:00:42"), "AddressType": .string("public")])
        let ends = try #require(ChannelEnds(device, controller))
        #expect(ends.device == LowEnergyAddress("F0:F1:F2:F3:F4:F1", isRandom: true))
        #expect(ends.controller == LowEnergyAddress("00:AA:01:00:00:42", isRandom: false))
    }

    @Test func failuresAreTheKernels() {
        #expect(BluetoothFailure(LowEnergyChannelError(ECONNREFUSED)).code == .refused)
        #expect(BluetoothFailure(LowEnergyChannelError(ETIMEDOUT)).code == .timedOut)
        #expect(BluetoothFailure(LowEnergyChannelError(ECONNRESET)).code == .notConnected)
    }
}

import DBus
import Foundation
import HostInterface
import Testing

@testable import BlueZ
@testable import HostCentral

@Suite struct RecordTests {
    private func device(_ values: [String: DBusValue], _ path: String = "/org/bluez/hci0/dev_1") -> BluetoothDevice {
        BluetoothDevice(BlueZIdentifier(rawValue: path), values)
    }

    @Test func aDeviceIsCalledByItsAddress() throws {
        let identifier = DeviceIdentifier.make(device(["Address": .string("F0:F1:F2:F3:F4:F1")]))
        #expect(identifier == "6D64686F-7374-8062-8074-F0F1F2F3F4F1")
        let uuid = try #require(identifier.flatMap { UUID(uuidString: $0) }?.uuid)
        #expect(uuid.6 >> 4 == 8 && uuid.8 >> 6 == 0b10, "version 8 of RFC 9562")
        #expect(DeviceIdentifier.make(device(["Address": .string("none")])) == nil)
    }

    @Test func aDeviceOfTwoControllersIsTheOneThatIsHeard() {
        let address = DBusValue.string("F0:F1:F2:F3:F4:F1")
        let tree = BlueZTree([
            BlueZIdentifier(rawValue: "/a/hci0/dev"): ["org.bluez.Device1": ["Address": address]],
            BlueZIdentifier(rawValue: "/a/hci1/dev"): ["org.bluez.Device1": ["Address": address, "RSSI": .int16(-50)]],
        ])
        let found = DeviceIdentifier.find("6D64686F-7374-8062-8074-F0F1F2F3F4F1", in: tree)
        #expect(found?.id.rawValue == "/a/hci1/dev")
        #expect(DeviceIdentifier.find("6D64686F-7374-8062-8074-F0F1F2F3F4F2", in: tree) == nil)
    }

    @Test func propertiesAreTheSpecificationsBits() {
        #expect(CharacteristicProperties.bits(["read", "write", "notify"]) == 0x1A)
        #expect(CharacteristicProperties.bits(["write-without-response", "encrypt-read", "encrypt-notify"]) == 0x104)
        #expect(CharacteristicProperties.bits([]) == 0)
    }

    @Test func failuresKeepWhatTheDeviceSaid() {
        let failure = BluetoothFailure(BlueZError(.notPermitted, "Read not permitted", attributeError: 2))
        #expect(failure == BluetoothFailure(.failed, "Read not permitted", attributeError: 2))
        #expect(BluetoothFailure(BlueZError(.unreachable, "")).code == .unreachable)
    }

    @Test func statesOfTheRadio() {
        func state(_ state: BlueZState, _ tree: BlueZTree = BlueZTree(), wasRunning: Bool = false) -> CentralEvent
            .State?
        {
            CentralEvent.State(BlueZUpdate(state: state, tree: tree, changed: []), wasRunning: wasRunning)
        }
        func tree(powered: Bool) -> BlueZTree {
            BlueZTree([BlueZIdentifier(rawValue: "/a/hci0"): ["org.bluez.Adapter1": ["Powered": .boolean(powered)]]])
        }
        #expect(state(.connecting) == nil)
        #expect(state(.unavailable(BlueZError(.notRunning, ""))) == .unsupported)
        #expect(state(.unavailable(BlueZError(.notRunning, "")), wasRunning: true) == .resetting)
        #expect(state(.unavailable(BlueZError(.accessDenied, ""))) == .unauthorized)
        #expect(state(.running) == .unsupported)
        #expect(state(.running, tree(powered: false)) == .poweredOff)
        #expect(state(.running, tree(powered: true)) == .poweredOn)
    }
}

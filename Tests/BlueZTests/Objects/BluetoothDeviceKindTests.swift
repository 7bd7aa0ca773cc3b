import DBus
import Testing

@testable import BlueZ

@Suite struct BluetoothDeviceKindTests {
    private func device(_ values: [String: DBusValue]) -> BluetoothDevice {
        BluetoothDevice(BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_0"), values)
    }

    /// As devices on sale say it, and Bumble's speaker (0x240404).
    @Test(
        arguments: [
            (0x240404, BluetoothDeviceKind.headset), (0x240414, .speaker), (0x240418, .headphones),
            (0x260420, .carAudio),
            (0x24043c, .television), (0x240428, .receiver), (0x5a020c, .phone), (0x2c010c, .computer),
            (0x000540, .other),
        ] as [(UInt32, BluetoothDeviceKind)])
    func theClassOfADeviceSaysWhatItIs(classOfDevice: UInt32, kind: BluetoothDeviceKind) {
        #expect(BluetoothDeviceKind(classOfDevice: classOfDevice) == kind)
    }

    @Test(
        arguments: [
            (0x0841, BluetoothDeviceKind.speaker), (0x0842, .soundbar), (0x0941, .earbuds), (0x0942, .headset),
            (0x0943, .headphones), (0x0a41, .hearingAid), (0x0a01, .television), (0x0040, .phone), (0x03c1, .other),
        ] as [(UInt16, BluetoothDeviceKind)])
    func anAppearanceSaysWhatItIs(appearance: UInt16, kind: BluetoothDeviceKind) {
        #expect(BluetoothDeviceKind(appearance: appearance) == kind)
    }

    @Test func aSinkIsWhatHasTheProfileOrTheClassOfOne() {
        let sink = BluetoothUUID.audioSink.description
        #expect(device(["UUIDs": .strings([sink])]).isAudioSink)
        #expect(device(["UUIDs": .strings([sink])]).kind == .speaker)
        #expect(device(["Class": .uint32(0x240414)]).isAudioSink)
        // A microphone of that major class renders nothing; a phone takes sound only where it says so.
        #expect(!device(["Class": .uint32(0x080410)]).isAudioSink)
        #expect(!device(["Class": .uint32(0x5a020c)]).isAudioSink)
        #expect(device(["Class": .uint32(0x5a020c), "UUIDs": .strings([sink])]).kind == .phone)
        #expect(device(["UUIDs": .strings([BluetoothUUID.publishedAudioCapabilities.description])]).isAudioSink)
    }
}

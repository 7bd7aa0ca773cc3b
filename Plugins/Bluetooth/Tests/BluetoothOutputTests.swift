import Foundation
import HostInterface
import MediaDevice
import Testing

@testable import BluetoothExtension

@Suite struct BluetoothOutputTests {
    private func device(_ kind: String, address: String = "00:AA:01:02:00:02") -> BluetoothAudioDevice {
        BluetoothAudioDevice(
            BluetoothDeviceState(
                id: "/org/bluez/hci0/dev_00_AA_01_02_00_02", address: address, name: "Kitchen", kind: kind,
                signalStrength: -45, batteryLevel: 77))
    }

    @Test func anOutputHasItsAddressForAnIdentity() throws {
        let output = try #require(device("speaker").output)
        #expect(output.id == device("headset").output?.id)
        #expect(output.id != device("speaker", address: "00:AA:01:02:00:03").output?.id)
        #expect(output.deduplicationIdentifiers == ["bluetooth:00aa01020002"])
        #expect(output.displayName == "Kitchen")
        #expect(output.volumeControl == .absolute)
        #expect(output.txtRecords.first?.dictionary["battery"] == "77 %")
    }

    @Test func itStaysTheSameWhenItTellsItsLastingAddress() throws {
        func earbuds(_ address: String) -> BluetoothAudioDevice {
            BluetoothAudioDevice(
                BluetoothDeviceState(
                    id: "1", address: address, firstAddress: "6D:00:00:00:00:01", name: "Earbuds", kind: "headset"))
        }
        let before = try #require(earbuds("6D:00:00:00:00:01").output)
        let after = try #require(earbuds("00:AA:01:01:00:01").output)
        #expect(before.id == after.id)
        #expect(after.deduplicationIdentifiers == ["bluetooth:00aa01010001"])
        #expect(earbuds("00:AA:01:01:00:01").bond == Data("bluetooth-bond 00:AA:01:01:00:01".utf8))
    }

    @Test func ofSeveralAdaptersTheOneThatHasTheDeviceCounts() {
        func seen(by adapter: String, isPaired: Bool = false, isConnected: Bool = false) -> BluetoothAudioDevice {
            BluetoothAudioDevice(
                BluetoothDeviceState(
                    id: adapter, address: "00:AA:01:02:00:02", name: "Kitchen", kind: "speaker", isPaired: isPaired,
                    isConnected: isConnected, signalStrength: -45))
        }
        var sightings = BluetoothSightings()
        sightings.set(seen(by: "hci1"))
        sightings.set(seen(by: "hci0"))
        #expect(sightings.best?.id == "hci0")
        sightings.set(seen(by: "hci1", isPaired: true))
        #expect(sightings.best?.id == "hci1")
        sightings.set(seen(by: "hci0", isConnected: true))
        #expect(sightings.best?.id == "hci0")
        sightings.remove("hci0")
        #expect(sightings.best?.id == "hci1" && !sightings.contains("hci0"))
        sightings.remove("hci1")
        #expect(sightings.best == nil)
    }

    @Test(arguments: [
        ("speaker", MediaOutputDevice.DeviceType.hifiSpeaker), ("headset", .hifiSpeaker), ("television", .tv),
        ("something-new", .hifiSpeaker),
    ])
    func theKindOfADeviceDecidesItsPicture(kind: String, type: MediaOutputDevice.DeviceType) {
        #expect(device(kind).output?.deviceType == type)
    }

    @Test(
        arguments: [
            ("authentication-failed", MediaDeviceError.Code.authorizationFailed, nil),
            ("authentication-rejected", .authorizationFailed, "device-refused"),
            ("unreachable", .connectionFailed, nil), ("no-profile", .connectionFailed, "no-profile"),
            ("not-powered", .connectionFailed, "not-powered"), ("in-progress", .deviceInUse, nil),
        ] as [(String, MediaDeviceError.Code, String?)])
    func aFailureHasItsCodeAndSaysWhatToDo(code: String, expected: MediaDeviceError.Code, detail: String?) {
        let error = MediaDeviceError(BluetoothAudioError(code: code, message: "It is so.", remedy: "Do that."))
        #expect(error.code == expected)
        #expect(error.detail?.rawValue == detail)
        #expect(error.reason == "It is so. Do that.")
    }
}

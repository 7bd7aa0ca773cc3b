import DBus
import Testing

@testable import BlueZ

@Suite struct BlueZScanFilterTests {
    @Test func nobodyScansForNothing() { #expect(BlueZScanFilter.merged([]) == nil) }

    @Test func oneFilterStaysAsItIs() {
        let filter = BlueZScanFilter(
            transport: .lowEnergy, uuids: [.battery], weakestSignal: -70, reportsDuplicates: true)
        #expect(BlueZScanFilter.merged([filter]) == filter)
        #expect(BlueZScanFilter.merged([filter, filter]) == filter)
    }

    @Test func theMergedFilterLetsThroughWhatAnyDoes() {
        let first = BlueZScanFilter(transport: .lowEnergy, uuids: [.battery], weakestSignal: -70)
        let second = BlueZScanFilter(transport: .classic, uuids: [.audioSink], weakestSignal: -90)
        #expect(
            BlueZScanFilter.merged([first, second])
                == BlueZScanFilter(transport: .any, uuids: [.battery, .audioSink], weakestSignal: -90))
        let everything = BlueZScanFilter(reportsDuplicates: true)
        #expect(BlueZScanFilter.merged([first, everything, second]) == everything)
    }

    @Test func whatOthersLookForIsNotLetThrough() {
        func device(_ values: [String: DBusValue]) -> BluetoothDevice {
            BluetoothDevice(BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_0"), values)
        }
        let speaker = device(["Class": .uint32(0x240414), "RSSI": .int16(-60)])
        let sensor = device([
            "AddressType": .string("random"), "RSSI": .int16(-80),
            "UUIDs": .strings([BluetoothUUID.battery.description]),
        ])
        #expect(BlueZScanFilter().lets(speaker))
        #expect(BlueZScanFilter(transport: .classic).lets(speaker))
        #expect(!BlueZScanFilter(transport: .lowEnergy).lets(speaker))
        #expect(!BlueZScanFilter(transport: .classic).lets(sensor))
        #expect(BlueZScanFilter(transport: .lowEnergy, uuids: [.battery]).lets(sensor))
        #expect(!BlueZScanFilter(uuids: [.audioSink]).lets(sensor))
        #expect(!BlueZScanFilter(weakestSignal: -70).lets(sensor))
    }
}

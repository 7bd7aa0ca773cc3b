import Dispatch
import Foundation
import HostInterface
import Synchronization
import Testing

@testable import CoreBluetooth

/// A manager with a host that a test writes.
@Suite(.timeLimit(.minutes(1)))
struct CBCentralManagerTests {
    private static let lamp = "6D64686F-7374-8062-8074-F0F1F2F3F4F1"
    private static let service = "8e7f0001-5a3c-4d2b-9c1e-6d64686f7374"
    private static let level = "8e7f0002-5a3c-4d2b-9c1e-6d64686f7374"

    private static var services: [BluetoothServiceRecord] {
        [
            BluetoothServiceRecord(uuid: "0000180f-0000-1000-8000-00805f9b34fb"),
            BluetoothServiceRecord(
                uuid: service,
                characteristics: [
                    BluetoothCharacteristicRecord(
                        attribute: "/l", uuid: level, properties: 0x1A,
                        descriptors: [BluetoothDescriptorRecord(attribute: "/d", uuid: "2901")]),
                    BluetoothCharacteristicRecord(attribute: "/b", uuid: "2A19", properties: 0x04),
                ]),
        ]
    }

    /// A manager that is switched on and has found the lamp.
    private func found(_ host: ScriptedHost, _ witness: Witness) async throws -> (CBCentralManager, CBPeripheral) {
        let central = witness.begin(host)
        host.tell { $0.state = .poweredOn }
        #expect(await witness.next() == "state 5")
        central.scanForPeripherals(withServices: [CBUUID(string: "180F")])
        #expect(await host.request(.scan).services == ["180F"])
        host.hear(Self.lamp, BluetoothAdvertisement(name: "Lamp", signal: -40, services: ["180f"]))
        #expect(await witness.next() == "discovered Lamp -40")
        return (central, try #require(witness.peripheral))
    }

    private func connected(_ host: ScriptedHost, _ witness: Witness) async throws -> (CBCentralManager, CBPeripheral) {
        let (central, lamp) = try await found(host, witness)
        lamp.delegate = witness
        central.connect(lamp)
        #expect(lamp.state == .connecting)
        #expect(await host.request(.connect).device == Self.lamp)
        host.connect(Self.lamp, Self.services)
        #expect(await witness.next() == "connected")
        #expect(lamp.state == .connected)
        return (central, lamp)
    }

    @Test func whatIsAnnouncedHasApplesKeys() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (central, lamp) = try await found(host, witness)
        #expect(central.isScanning && lamp.name == "Lamp" && lamp.identifier.uuidString == Self.lamp)
        #expect(Set([lamp]).contains(lamp) && [lamp: 1][lamp] == 1, "usable as a key, as on Apple's systems")
        host.hear(
            Self.lamp,
            BluetoothAdvertisement(
                name: "Lamp", transmitPower: 4, services: ["180f", Self.service],
                manufacturerData: Data([0xFF, 0xFF, 1]),
                serviceData: ["180f": Data([7])]))
        #expect(await witness.next() == "discovered Lamp 127")
        let data = witness.advertisement
        #expect(data[CBAdvertisementDataTxPowerLevelKey] as? NSNumber == 4)
        #expect(data[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0xFF, 0xFF, 1]))
        let services = data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
        #expect(services == [CBUUID(string: "180F"), CBUUID(string: Self.service)])
        #expect((data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data])?[CBUUID(string: "180F")] == Data([7]))
        // The same object however often it is found.
        #expect(central.retrievePeripherals(withIdentifiers: [lamp.identifier]).first === lamp)
    }

    @Test func servicesAreThereOnceTheyAreDiscovered() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (_, lamp) = try await connected(host, witness)
        #expect(lamp.services == nil)
        lamp.discoverServices([CBUUID(string: Self.service)])
        #expect(await witness.next() == "services nil")
        let service = try #require(lamp.services?.first)
        #expect(lamp.services?.count == 1 && service.characteristics == nil && service.peripheral === lamp)
        lamp.discoverCharacteristics([CBUUID(string: Self.level)], for: service)
        #expect(await witness.next() == "characteristics nil")
        let level = try #require(service.characteristics?.first)
        #expect(service.characteristics?.count == 1 && level.properties == [.read, .write, .notify])
        lamp.discoverDescriptors(for: level)
        #expect(await witness.next() == "descriptors nil")
        #expect(level.descriptors?.map(\.uuid.uuidString) == ["2901"])
        lamp.discoverCharacteristics(nil, for: service)
        #expect(await witness.next() == "characteristics nil")
        #expect(service.characteristics?.count == 2 && service.characteristics?.first === level)
    }

    @Test func valuesAreReadWrittenAndFollowed() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (central, lamp) = try await connected(host, witness)
        lamp.discoverServices(nil)
        #expect(await witness.next() == "services nil")
        let service = try #require(lamp.services?.last)
        lamp.discoverCharacteristics(nil, for: service)
        #expect(await witness.next() == "characteristics nil")
        let level = try #require(service.characteristics?.first)

        lamp.readValue(for: level)
        host.answer(await host.request(.read)) { $0.value = Data([10]) }
        #expect(await witness.next() == "value 0a nil")

        lamp.writeValue(Data([20]), for: level, type: .withResponse)
        let write = await host.request(.write)
        #expect(write.attribute == "/l" && write.device == Self.lamp && write.value == Data([20]))
        host.answer(write) { $0.failure = BluetoothFailure(.failed, "No.", attributeError: 0x03) }
        #expect(await witness.next() == "written \(CBATTError(.writeNotPermitted, "No."))")

        lamp.setNotifyValue(true, for: level)
        host.answer(await host.request(.follow)) { _ in }
        #expect(await witness.next() == "notifying true nil")
        host.change(Self.lamp, "/l", Data([30]))
        #expect(await witness.next() == "value 1e nil")
        #expect(level.value == Data([30]) && level.isNotifying)
        // A released manager sends no requests.
        withExtendedLifetime(central) {}
    }

    @Test func anEndThatWasAskedForIsNoError() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (central, lamp) = try await connected(host, witness)
        central.cancelPeripheralConnection(lamp)
        #expect(await host.request(.disconnect).device == Self.lamp)
        host.disconnect(Self.lamp, nil)
        #expect(await witness.next() == "disconnected nil")
        #expect(lamp.state == .disconnected)
        // The host gets no request.
        lamp.readRSSI()
        #expect(await witness.next() == "signal 127 \(CBError(.notConnected))")
    }

    @Test func failuresHaveApplesCodes() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (central, lamp) = try await found(host, witness)
        central.connect(lamp)
        host.disconnect(Self.lamp, BluetoothFailure(.unreachable, "Off."))
        #expect(await witness.next() == "failed \(CBError(.connectionFailed, "Off."))")
        central.connect(lamp)
        host.connect(Self.lamp, Self.services)
        #expect(await witness.next() == "connected")
        host.disconnect(Self.lamp, nil)
        #expect(await witness.next() == "disconnected \(CBError(.peripheralDisconnected))")
    }

    @Test func withTheHostEverythingEnds() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (central, lamp) = try await connected(host, witness)
        lamp.readRSSI()
        _ = await host.request(.readSignal)
        host.end()
        #expect(await witness.next()?.hasPrefix("signal 127 CBError(code: CoreBluetooth.CBError.Code.unknown") == true)
        #expect(await witness.next() == "state 1")
        #expect(lamp.state == .disconnected && !central.isScanning)
    }

    @Test func aManagerThatNobodyHoldsEndsItsRequests() async {
        let (host, witness) = (ScriptedHost(), Witness())
        var central: CBCentralManager? = witness.begin(host)
        host.tell { $0.state = .poweredOff }
        #expect(await witness.next() == "state 4")
        central?.scanForPeripherals(withServices: nil)
        #expect(central?.isScanning == false)
        central = nil
        witness.forget()
        #expect(await host.requestsAreOver())
    }
}

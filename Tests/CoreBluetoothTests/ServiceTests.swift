import Foundation
import HostInterface
import Testing

@testable import CoreBluetooth

/// Included services, services that change, and writes without response, with a host that a test writes.
@Suite(.timeLimit(.minutes(1)))
struct ServiceTests {
    private static let lamp = "6D64686F-7374-8062-8074-F0F1F2F3F4F1"

    private static func services(mtu: Int? = nil) -> [BluetoothServiceRecord] {
        [
            BluetoothServiceRecord(attribute: "/battery", uuid: "180F", isPrimary: false),
            BluetoothServiceRecord(
                attribute: "/lamp", uuid: "1815", includes: ["/battery", "/unknown"],
                characteristics: [
                    BluetoothCharacteristicRecord(
                        attribute: "/lamp/blink", uuid: "2A56", properties: 0x04, maximumTransmission: mtu)
                ]),
        ]
    }

    private func connected(
        _ host: ScriptedHost, _ witness: Witness, _ services: [BluetoothServiceRecord]
    ) async throws -> (CBCentralManager, CBPeripheral) {
        let central = witness.begin(host)
        host.tell { $0.state = .poweredOn }
        #expect(await witness.next() == "state 5")
        central.scanForPeripherals(withServices: nil)
        host.hear(Self.lamp, BluetoothAdvertisement(name: "Lamp", signal: -40))
        #expect(await witness.next() == "discovered Lamp -40")
        let lamp = try #require(witness.peripheral)
        lamp.delegate = witness
        central.connect(lamp)
        host.connect(Self.lamp, services)
        #expect(await witness.next() == "connected")
        return (central, lamp)
    }

    @Test func includedServicesAreDiscovered() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (central, lamp) = try await connected(host, witness, Self.services())
        lamp.discoverServices([CBUUID(string: "1815")])
        #expect(await witness.next() == "services nil")
        let service = try #require(lamp.services?.first)
        #expect(service.includedServices == nil)
        lamp.discoverIncludedServices([CBUUID(string: "1234")], for: service)
        #expect(await witness.next() == "included [] nil")
        lamp.discoverIncludedServices(nil, for: service)
        #expect(await witness.next() == "included [\"180F\"] nil")
        #expect(service.includedServices?.first?.isPrimary == false)
        central.cancelPeripheralConnection(lamp)
        host.disconnect(Self.lamp, nil)
        #expect(await witness.next() == "disconnected nil")
        lamp.discoverIncludedServices(nil, for: service)
        #expect(await witness.next() == "included [\"180F\"] \(CBError(.notConnected))")
    }

    @Test func servicesThatChangeAreInvalidated() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (central, lamp) = try await connected(host, witness, Self.services())
        lamp.discoverServices(nil)
        #expect(await witness.next() == "services nil")
        let service = try #require(lamp.services?.last)
        lamp.discoverIncludedServices(nil, for: service)
        #expect(await witness.next() == "included [\"180F\"] nil")
        var changed = Self.services()
        changed[0] = BluetoothServiceRecord(attribute: "/time", uuid: "1805")
        host.modify(Self.lamp, changed)
        #expect(await witness.next() == "modified [\"180F\"]")
        #expect(lamp.services?.count == 1 && lamp.services?.first === service, "the others stay as they are")
        #expect(service.includedServices?.isEmpty == true)
        lamp.discoverServices(nil)
        #expect(await witness.next() == "services nil")
        #expect(lamp.services?.map(\.uuid.uuidString) == ["1805", "1815"])
        withExtendedLifetime(central) {}
    }

    @Test func lengthsOfWritesFollowTheLink() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (central, lamp) = try await connected(host, witness, Self.services(mtu: 247))
        #expect(lamp.maximumWriteValueLength(for: .withoutResponse) == 244)
        #expect(lamp.maximumWriteValueLength(for: .withResponse) == 512)
        host.modify(Self.lamp, Self.services())
        #expect(await witness.next() == "modified [\"1815\"]")
        #expect(lamp.maximumWriteValueLength(for: .withoutResponse) == 20, "without a known MTU, the smallest")
        host.modify(Self.lamp, Self.services(mtu: 600))
        #expect(await witness.next() == "modified [\"1815\"]")
        #expect(lamp.maximumWriteValueLength(for: .withoutResponse) == 512)
        withExtendedLifetime(central) {}
    }

    @Test func writesWithoutResponseWaitForTheHost() async throws {
        let (host, witness) = (ScriptedHost(), Witness())
        let (central, lamp) = try await connected(host, witness, Self.services())
        lamp.discoverServices(nil)
        #expect(await witness.next() == "services nil")
        let service = try #require(lamp.services?.last)
        lamp.discoverCharacteristics(nil, for: service)
        #expect(await witness.next() == "characteristics nil")
        let blink = try #require(service.characteristics?.first)
        var written = 0
        while lamp.canSendWriteWithoutResponse, written < 100 {
            lamp.writeValue(Data([1]), for: blink, type: .withoutResponse)
            written += 1
        }
        #expect(written == 16)
        let first = await host.request(.command)
        host.answer(first) { _ in }
        #expect(await witness.next() == "ready to write")
        #expect(lamp.canSendWriteWithoutResponse)
        // The following ones get no callback: it is reported once.
        for _ in 1..<written { host.answer(await host.request(.command)) { _ in } }
        lamp.readRSSI()
        host.answer(await host.request(.readSignal)) { $0.signal = -50 }
        #expect(await witness.next() == "signal -50 nil")
        withExtendedLifetime(central) {}
    }

    @Test func authorizationIsTheHosts() async {
        let (host, witness) = (ScriptedHost(), Witness())
        let central = witness.begin(host)
        #expect(central.authorization == .notDetermined)
        host.tell { $0.state = .unauthorized }
        #expect(await witness.next() == "state 3")
        #expect(central.authorization == .denied)
        host.tell { $0.state = .poweredOff }
        #expect(await witness.next() == "state 4")
        #expect(central.authorization == .allowedAlways)
    }
}

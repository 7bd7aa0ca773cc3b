import DBus
import HostInterface
import Testing

@testable import BlueZ
@testable import HostBluetooth

@Suite struct DeviceStatesTests {
    private let adapter = BlueZIdentifier(rawValue: "/org/bluez/hci0")
    private let speaker = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_1")
    private let phone = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_2")
    private let transport = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_1/fd0")

    private func tree(isPowered: Bool = true, signal: Int16 = -42, volume: UInt16? = nil) -> BlueZTree {
        var objects: [BlueZIdentifier: BlueZTree.Interfaces] = [
            adapter: ["org.bluez.Adapter1": ["Powered": .boolean(isPowered)]],
            speaker: [
                "org.bluez.Device1": [
                    "Address": .string("00:11:22:33:44:55"), "Alias": .string("Kitchen"), "Class": .uint32(0x240414),
                    "RSSI": .int16(signal),
                ]
            ],
            phone: ["org.bluez.Device1": ["Address": .string("00:11:22:33:44:66"), "Class": .uint32(0x5a020c)]],
        ]
        if let volume {
            objects[transport] = [
                "org.bluez.MediaTransport1": ["Device": .objectPath(speaker.rawValue), "Volume": .uint16(volume)]
            ]
        }
        return BlueZTree(objects)
    }

    private func update(_ tree: BlueZTree, _ changed: Set<BlueZIdentifier>) -> BlueZUpdate {
        BlueZUpdate(state: .running, tree: tree, changed: changed)
    }

    @Test func whatTakesSoundIsToldAndNothingElse() {
        var states = DeviceStates()
        let first = states.apply(update(tree(), [adapter, speaker, phone]))
        #expect(first.map(\.kind) == [.ready, .device])
        #expect(first.last?.device?.name == "Kitchen")
        #expect(first.last?.device?.signalStrength == -40)
        // An invisible change is not reported.
        let same = states.apply(update(tree(signal: -44), [speaker]))
        #expect(same.isEmpty)
        let nearer = states.apply(update(tree(signal: -20), [speaker]))
        #expect(nearer.first?.device?.signalStrength == -20)
    }

    @Test func aLevelIsOfTheDeviceWhoseTransportItIs() throws {
        var states = DeviceStates()
        _ = states.apply(update(tree(), [speaker]))
        let louder = states.apply(update(tree(volume: 127), [transport]))
        #expect(louder.first?.device?.id == speaker.rawValue)
        #expect(louder.first?.device?.volume == 1)
        #expect(louder.first?.device?.hasTransport == true)
    }

    @Test func whatGoesIsToldOnce() {
        var states = DeviceStates()
        _ = states.apply(update(tree(), [speaker]))
        let gone = states.apply(update(BlueZTree(), [adapter, speaker, phone]))
        #expect(gone.map(\.kind) == [.waiting, .lost])
        #expect(gone.first?.code == "no-adapter")
        #expect(gone.last?.id == speaker.rawValue)
        let again = states.apply(update(BlueZTree(), [speaker]))
        #expect(again.isEmpty)
    }

    @Test func itsFirstAddressStaysWhenItTellsItsLastingOne() {
        let path = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_6D_00_00_00_00_01")
        func tree(_ address: String) -> BlueZTree {
            BlueZTree([
                adapter: ["org.bluez.Adapter1": ["Powered": .boolean(true)]],
                path: ["org.bluez.Device1": ["Address": .string(address), "Class": .uint32(0x240414)]],
            ])
        }
        var states = DeviceStates()
        let found = states.apply(update(tree("6D:00:00:00:00:01"), [path])).last?.device
        #expect(found?.address == "6D:00:00:00:00:01" && found?.firstAddress == "6D:00:00:00:00:01")
        let told = states.apply(update(tree("00:AA:01:01:00:01"), [path])).last?.device
        #expect(told?.address == "00:AA:01:01:00:01" && told?.firstAddress == "6D:00:00:00:00:01")
    }

    @Test func whatStandsInTheWayIsToldWithWhatToDo() {
        var states = DeviceStates()
        let off = states.apply(update(tree(isPowered: false), []))
        #expect(off.map(\.code) == ["not-powered"])
        #expect(off.first?.remedy?.isEmpty == false)
        let on = states.apply(update(tree(), []))
        #expect(on.map(\.kind) == [.ready])
        let error = BlueZError(.notRunning, "bluetoothd is not running.")
        let stopped = states.apply(BlueZUpdate(state: .unavailable(error), tree: BlueZTree(), changed: []))
        #expect(stopped.map(\.code) == ["not-running"])
    }

    @Test(arguments: BlueZError.Code.allCases)
    func everyFailureIsASentence(code: BlueZError.Code) {
        let answer = BluetoothAnswer(BlueZError(code, "Resource Not Ready"), .failed)
        #expect(answer.message?.hasSuffix(".") == true)
        #expect(answer.code?.allSatisfy { $0.isLowercase || $0 == "-" } == true)
    }
}

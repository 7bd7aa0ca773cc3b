import DBus
import Synchronization

@testable import BlueZ

/// A scripted bluetoothd, for events that are rare with a real one, such as its exit during a pairing.
final class ScriptedBluetoothd: Sendable {
    static let adapter = BlueZIdentifier(rawValue: "/org/bluez/hci0")
    static let speaker = BlueZIdentifier(rawValue: "/org/bluez/hci0/dev_00_11_22_33_44_55")
    static let level = BlueZIdentifier(rawValue: speaker.rawValue + "/service0001/char0002")

    typealias Pairing = @Sendable (ScriptedBluetoothd, DBusClient) async throws -> Void

    private let connection: DBusConnection
    private let objects: DBusObjectServer
    private let log = Mutex<[String]>([])
    private let pairing: Pairing
    /// How many requests to forget a device it answers without doing so.
    private let keeping: Mutex<Int>
    /// Devices that get keys when they are to be disconnected, as the kernel's news came just before.
    private let late = Mutex(false)
    /// A Boolean value that indicates whether the next search makes the speaker appear.
    private let isHidden = Mutex(false)

    /// - Parameters:
    ///   - keepsDevices: A Boolean value that indicates whether it keeps all devices, whatever it answers.
    ///   - pairing: The handler of `Pair`; a thrown error is the answer.
    init(
        on address: String, isPowered: Bool = true, keepsDevices: Bool = false,
        pairing: @escaping Pairing = { _, _ in }
    ) async throws {
        let loop = DBusLoop(label: "bluetoothd")
        connection = DBusConnection(loop: loop)
        objects = DBusObjectServer(loop: loop, objectManagerPath: "/")
        self.pairing = pairing
        keeping = Mutex(keepsDevices ? .max : 0)
        try await objects.add(path: "/org/bluez", [(agentManager(), [:])])
        try await addAdapter(isPowered: isPowered)
        try await connection.open(address: address)
        try await objects.attach(connection)
        try await connection.requestName("org.bluez")
    }

    /// The received calls, with their arguments if they matter.
    var calls: [String] { log.withLock { $0 } }

    func leave() async {
        await connection.close()
        await connection.waitUntilClosed()
    }

    // MARK: State

    func addAdapter(isPowered: Bool = true) async throws {
        let note = { @Sendable (call: DBusMethodCall) in
            self.note(call)
            call.reply()
        }
        let interface = DBusInterface(
            BluetoothAdapter.interface,
            methods: [
                DBusMethod("SetDiscoveryFilter", in: [("filter", "a{sv}")], handler: note),
                .async("StartDiscovery") { call in
                    self.note(call)
                    if self.isHidden.withLock({ isHidden in
                        defer { isHidden = false }
                        return isHidden
                    }) {
                        try await self.addSpeaker()
                    }
                    return []
                },
                DBusMethod("StopDiscovery", handler: note),
                DBusMethod("RemoveDevice", in: [("device", "o")]) { call in
                    note(call)
                    // As bluetoothd does where it had to disconnect first: behind its answer.
                    let path = call.arguments[0].asString ?? ""
                    let keeps = self.keeping.withLock { count in
                        defer { count = max(0, count - 1) }
                        return count > 0
                    }
                    if !keeps { self.objects.assumeIsolated { $0.remove(path: path) } }
                },
            ],
            properties: [DBusProperty("Address", "s"), DBusProperty("Alias", "s"), DBusProperty("Powered", "b")])
        try await objects.add(
            path: Self.adapter.rawValue,
            [
                (
                    interface,
                    ["Address": .string("AA:BB:CC:DD:EE:FF"), "Alias": .string("desk"), "Powered": .boolean(isPowered)]
                )
            ])
    }

    func removeAdapter() async { await objects.remove(path: Self.adapter.rawValue) }

    func addSpeaker(_ id: BlueZIdentifier = speaker, isPaired: Bool = false) async throws {
        let interface = DBusInterface(
            BluetoothDevice.interface,
            methods: [
                .async("Pair") { call in
                    self.note(call)
                    try await self.pairing(self, call.client)
                    await self.objects.update(
                        path: call.path, interface: BluetoothDevice.interface, ["Paired": .boolean(true)])
                    return []
                },
                DBusMethod("CancelPairing") { call in
                    self.note(call)
                    call.reply()
                },
                .async("Disconnect") { call in
                    self.note(call)
                    if self.late.withLock({ $0 }) { await self.show(["Paired": .boolean(true)]) }
                    await self.show(["Connected": .boolean(false)])
                    return []
                },
            ],
            properties: [
                DBusProperty("Address", "s"), DBusProperty("Alias", "s"), DBusProperty("Adapter", "o"),
                DBusProperty("Class", "u"), DBusProperty("Paired", "b"), DBusProperty("RSSI", "n"),
                DBusProperty("Bonded", "b"), DBusProperty("Connected", "b"),
                DBusProperty("ManufacturerData", "a{qv}"),
            ])
        try await objects.add(
            path: id.rawValue,
            [
                (
                    interface,
                    [
                        "Bonded": .boolean(isPaired), "Connected": .boolean(false),
                        "Address": .string("00:11:22:33:44:55"), "Alias": .string("Kitchen"),
                        "Adapter": .objectPath(Self.adapter.rawValue), "Class": .uint32(0x240414),
                        "Paired": .boolean(isPaired), "RSSI": .int16(-50),
                        "ManufacturerData": .dictionary(
                            key: "q", value: "v", [.uint16(0x004c): .variant(.bytes([1, 2]))]),
                    ]
                )
            ])
    }

    func addCharacteristic() async throws {
        let note = { @Sendable (call: DBusMethodCall) in
            self.note(call)
            call.reply()
        }
        let interface = DBusInterface(
            BluetoothCharacteristic.interface,
            methods: [
                DBusMethod("StartNotify", handler: note), DBusMethod("StopNotify", handler: note),
                DBusMethod("ReadValue", in: [("options", "a{sv}")], out: [("value", "ay")]) { $0.reply([.bytes([7])]) },
                DBusMethod("WriteValue", in: [("value", "ay"), ("options", "a{sv}")]) {
                    $0.fail(
                        DBusError(
                            name: "org.bluez.Error.Failed", message: "Operation failed with ATT error: 0x80"))
                },
            ],
            properties: [
                DBusProperty("UUID", "s"), DBusProperty("Service", "o"), DBusProperty("Flags", "as"),
                DBusProperty("Value", "ay"),
            ])
        let service = Self.level.rawValue.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        try await objects.add(
            path: Self.level.rawValue,
            [
                (
                    interface,
                    [
                        "UUID": .string(BluetoothUUID(0x2a19).description), "Service": .objectPath(service),
                        "Flags": .strings(["read", "notify"]), "Value": .bytes([]),
                    ]
                )
            ])
    }

    func notify(_ value: [UInt8]) async {
        await objects.update(
            path: Self.level.rawValue, interface: BluetoothCharacteristic.interface, ["Value": .bytes(value)])
    }

    func removeCharacteristic() async { await objects.remove(path: Self.level.rawValue) }

    /// Changes what the speaker shows.
    func show(_ values: [String: DBusValue], of device: BlueZIdentifier = speaker) async {
        await objects.update(path: device.rawValue, interface: BluetoothDevice.interface, values)
    }

    func removeSpeaker() async { await objects.remove(path: Self.speaker.rawValue) }

    /// As bluetoothd does with a device without a bond after 30 s: the next search finds it.
    func forgetSpeaker() async {
        isHidden.withLock { $0 = true }
        await removeSpeaker()
    }

    func keepDevice(times: Int) { keeping.withLock { $0 = times } }

    func bondWhenDisconnected() { late.withLock { $0 = true } }

    func setSignal(_ strength: Int16) async {
        await objects.update(
            path: Self.speaker.rawValue, interface: BluetoothDevice.interface, ["RSSI": .int16(strength)])
    }

    func setPowered(_ isPowered: Bool) async {
        await objects.update(
            path: Self.adapter.rawValue, interface: BluetoothAdapter.interface, ["Powered": .boolean(isPowered)])
    }

    // MARK: Requests to the agent

    /// Calls the agent of the pairing client.
    @discardableResult
    func ask(
        _ client: DBusClient, _ member: String, _ arguments: [DBusValue] = [], about device: BlueZIdentifier = speaker
    ) async throws -> [DBusValue] {
        try await objects.call(
            client, path: PairingAgent.path, interface: PairingAgent.interface, member: member,
            member == "Cancel" ? [] : [.objectPath(device.rawValue)] + arguments)
    }

    private func agentManager() -> DBusInterface {
        DBusInterface(
            "org.bluez.AgentManager1",
            methods: [
                DBusMethod("RegisterAgent", in: [("agent", "o"), ("capability", "s")]) { call in
                    self.note(call)
                    call.reply()
                }
            ])
    }

    private func note(_ call: DBusMethodCall) {
        var text = call.member
        if call.member == "SetDiscoveryFilter", let filter = call.arguments.first?.asDictionary {
            text += " " + (filter["Transport"]?.asString ?? "")
            if let uuids = filter["UUIDs"]?.asArray { text += " \(uuids.count)" }
        }
        log.withLock { $0.append(text) }
    }
}

/// A client and the bluetoothd it finds, on a bus of their own.
struct Stage: Sendable {
    let bus: PrivateBus
    let bluetoothd: ScriptedBluetoothd
    let client: BlueZClient

    init(
        keepsDevices: Bool = false, clock: any Clock<Duration> = ContinuousClock(),
        pairing: @escaping ScriptedBluetoothd.Pairing = { _, _ in }
    ) async throws {
        bus = try await PrivateBus()
        bluetoothd = try await ScriptedBluetoothd(on: bus.address, keepsDevices: keepsDevices, pairing: pairing)
        try await bluetoothd.addSpeaker()
        client = BlueZClient(address: bus.address, clock: clock)
    }

    func end() async {
        await bluetoothd.leave()
        await bus.stop()
    }
}

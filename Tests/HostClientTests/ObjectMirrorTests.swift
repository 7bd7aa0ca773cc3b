import DBus
import HostInterface
import Testing

@testable import HostClient

@Suite("A client's copy of the daemon's objects")
struct ObjectMirrorTests {
    private static let devicePath = HostNames.devicePath("A-1")
    private static let sessionPath = HostNames.sessionPath("7")

    private func properties(_ values: [String: DBusValue]) -> DBusValue {
        .options(values)
    }

    private func interfaces(_ all: [String: [String: DBusValue]]) -> DBusValue {
        .dictionary(
            key: "s", value: "a{sv}",
            Dictionary(uniqueKeysWithValues: all.map { (DBusValue.string($0.key), properties($0.value)) }))
    }

    private func added(_ path: String, _ all: [String: [String: DBusValue]]) -> DBusSignal {
        signal("InterfacesAdded", [.objectPath(path), interfaces(all)])
    }

    private func removed(_ path: String, _ names: [String]) -> DBusSignal {
        signal("InterfacesRemoved", [.objectPath(path), .array(of: "s", names.map(DBusValue.string))])
    }

    private func changed(_ path: String, _ interface: String, _ values: [String: DBusValue]) -> DBusSignal {
        signal("PropertiesChanged", [.string(interface), properties(values), .array(of: "s", [])], path: path)
    }

    private func signal(
        _ member: String, _ arguments: [DBusValue], path: String = HostNames.rootPath
    ) -> DBusSignal {
        DBusSignal(sender: nil, path: path, interface: "x", member: member, arguments: arguments)
    }

    private let device: [String: DBusValue] = ["Id": .string("A-1"), "Name": .string("TV"), "Volume": .double(0.25)]

    @Test("the first look reports every object of ours")
    func load() {
        var mirror = ObjectMirror()
        let reply = DBusValue.dictionary(
            key: "o", value: "a{sa{sv}}",
            [
                .objectPath(Self.devicePath): interfaces([
                    HostNames.deviceInterface: device, "org.freedesktop.DBus.Properties": [:], "com.example.Other": [:],
                ]),
                .objectPath(Self.sessionPath): interfaces([HostNames.sessionInterface: ["Id": .string("7")]]),
                .objectPath("/org/mdhost/extensions/dlna"): interfaces([
                    HostNames.extensionInterface: ["Id": .string("dlna"), "Restarts": .uint32(2)]
                ]),
            ])
        let events = mirror.load([reply])
        #expect(events.count == 3)
        for event in events {
            switch event {
            case .device(let device): #expect(device.id == "A-1" && device.volume == 0.25)
            case .session(let session): #expect(session.path == Self.sessionPath)
            case .extension(let status): #expect(status.restarts == 2 && status.lastError == nil)
            default: Issue.record("\(event)")
            }
        }
        let manager = mirror.load(manager: [
            properties([
                "Version": .string("1"), "Settled": .boolean(true),
                "Problems": .array(of: "(ss)", [.structure([.string("discovery-failed"), .string("No Avahi.")])]),
            ])
        ])
        guard case .manager(let manager)? = manager.first else { return #expect(Bool(false), "no manager") }
        #expect(manager.isSettled && manager.problems == [HostError(.discoveryFailed, "No Avahi.")])
    }

    @Test("a change carries everything known, not only what changed")
    func change() throws {
        var mirror = ObjectMirror()
        _ = mirror.apply(added(Self.devicePath, [HostNames.deviceInterface: device]))
        let events = mirror.apply(changed(Self.devicePath, HostNames.deviceInterface, ["Volume": .double(0.75)]))
        guard case .device(let device)? = events.first else { return #expect(Bool(false), "no device") }
        #expect(events.count == 1 && device.name == "TV" && device.volume == 0.75)
    }

    @Test("a signal that changes nothing gives no event")
    func repetition() {
        var mirror = ObjectMirror()
        #expect(mirror.apply(added(Self.devicePath, [HostNames.deviceInterface: device])).count == 1)
        #expect(mirror.apply(added(Self.devicePath, [HostNames.deviceInterface: device])).isEmpty)
        let same = changed(Self.devicePath, HostNames.deviceInterface, ["Volume": .double(0.25)])
        #expect(mirror.apply(same).isEmpty)
    }

    @Test("a removed object is reported with what was known last, once")
    func removal() {
        var mirror = ObjectMirror()
        _ = mirror.apply(added(Self.devicePath, [HostNames.deviceInterface: device]))
        _ = mirror.apply(
            added(
                Self.sessionPath,
                [
                    HostNames.sessionInterface: [
                        "Id": .string("7"), "State": .string("failed"),
                        "Error": .structure([.string("unreachable"), .string("The cable is out.")]),
                    ]
                ]))
        guard
            case .deviceRemoved(let device)? = mirror.apply(removed(Self.devicePath, [HostNames.deviceInterface])).first
        else { return #expect(Bool(false), "no device") }
        #expect(device.name == "TV")
        guard
            case .sessionRemoved(let session)? = mirror.apply(
                removed(Self.sessionPath, ["org.freedesktop.DBus.Properties", HostNames.sessionInterface])
            ).first
        else { return #expect(Bool(false), "no session") }
        #expect(session.isOver && session.error == HostError(.unreachable, "The cable is out."))
        #expect(mirror.apply(removed(Self.devicePath, [HostNames.deviceInterface])).isEmpty)
        #expect(mirror.apply(changed(Self.devicePath, HostNames.deviceInterface, ["Volume": .double(1)])).isEmpty)
    }

    @Test("values of wrong types are as if they were absent")
    func wrongTypes() throws {
        let device = try #require(
            ClientDevice([
                "Id": .string("A"), "Name": .string("TV"), "Type": .int32(3), "Volume": .string("loud"),
                "Muted": .double(1), "Endpoints": .array(of: "i", [.int32(1)]), "LastError": .string("x"),
            ]))
        #expect(device.type.isEmpty && device.volume == nil && !device.isMuted && device.endpoints.isEmpty)
        #expect(device.lastError == nil && device.group.isEmpty && device.groupVolume == nil && !device.canGroup)
        let session = try #require(
            ClientSession(["Id": .string("1"), "Playback": .string("x"), "Error": .boolean(true)]))
        #expect(session.playback == PlaybackState() && session.error == nil && session.application == nil)
        #expect(ClientDevice(["Id": .string("A")]) == nil)
        #expect(ClientDevice(["Id": .int32(1), "Name": .string("TV")]) == nil)
        #expect(ClientSession([:]) == nil)
        #expect(ClientManager([:]).problems.isEmpty)
    }

    @Test(
        "a volume is a level from 0 to 1, or not known",
        arguments: [(-1, nil), (0, 0), (0.5, 0.5), (1, 1), (7, 1), (.nan, nil), (.infinity, nil), (-.infinity, nil)]
            as [(Double, Double?)])
    func volume(_ value: Double, _ expected: Double?) throws {
        let values: [String: DBusValue] = ["Id": .string("A"), "Name": .string("TV"), "Volume": .double(value)]
        #expect(try #require(ClientDevice(values)).volume == expected)
    }

    @Test("signals that do not fit give no events and change nothing")
    func malformed() {
        var mirror = ObjectMirror()
        _ = mirror.apply(added(Self.devicePath, [HostNames.deviceInterface: device]))
        let signals = [
            signal("InterfacesAdded", []), signal("InterfacesAdded", [.int32(1), .int32(2)]),
            signal("InterfacesAdded", [.objectPath("/x"), .string("y")]),
            signal("InterfacesRemoved", [.objectPath(Self.devicePath)]),
            signal("InterfacesRemoved", [.objectPath(Self.devicePath), .string(HostNames.deviceInterface)]),
            signal("PropertiesChanged", [.int32(1), .int32(2), .int32(3)], path: Self.devicePath),
            signal("DataReceived", [.bytes([1])], path: Self.devicePath),
            added("/org/mdhost/devices/z", [HostNames.deviceInterface: ["Id": .string("Z")]]),
        ]
        for signal in signals { #expect(mirror.apply(signal).isEmpty, "\(signal)") }
        #expect(mirror.load([]).isEmpty && mirror.load([.string("x")]).isEmpty)
        #expect(mirror.load(manager: []).isEmpty && mirror.load(manager: [.int32(1)]).isEmpty)
        #expect(mirror.apply(changed(Self.devicePath, HostNames.deviceInterface, ["Volume": .double(1)])).count == 1)
    }

    @Test("an extension that goes is told with what it was")
    func extensionRemoved() {
        var mirror = ObjectMirror()
        let path = HostNames.extensionPath("org.example.a")
        _ = mirror.apply(added(path, [HostNames.extensionInterface: ["Id": .string("org.example.a")]]))
        guard case .extensionRemoved(let gone)? = mirror.apply(removed(path, [HostNames.extensionInterface])).first
        else {
            Issue.record("not told")
            return
        }
        #expect(gone.id == "org.example.a")
        #expect(mirror.apply(removed(path, [HostNames.extensionInterface])).isEmpty)
    }
}

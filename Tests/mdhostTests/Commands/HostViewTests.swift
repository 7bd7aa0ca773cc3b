import DBus
import HostInterface
import Testing

@testable import HostClient
@testable import mdhost

@Suite("A command's picture of the daemon")
struct HostViewTests {
    @Test("events change it, and lists are in people's order")
    func events() throws {
        var view = HostView()
        let kitchen = try device("kitchen", id: "B"), attic = try device("Attic", id: "C")
        let otherKitchen = try device("Kitchen", id: "A")
        for device in [kitchen, attic, otherKitchen] { view.apply(.device(device)) }
        #expect(view.sortedDevices.map(\.id) == ["C", "A", "B"])
        #expect(!view.isReady)
        view.apply(.ready)
        #expect(view.isReady)
        view.apply(.deviceRemoved(attic))
        #expect(view.devices.keys.sorted() == ["A", "B"])

        for id in ["10", "9"] {
            let session = try #require(
                ClientSession(["Id": .string(id), "Device": .objectPath(kitchen.path)]))
            view.apply(.session(session))
        }
        #expect(view.sortedSessions.map(\.id) == ["9", "10"])
        #expect(view.device(of: view.sortedSessions[0])?.id == "B")
    }

    @Test("groups, and who plays a session")
    func groups() throws {
        var view = HostView()
        let group = DBusValue.array(
            of: "o", ["B", "A"].map { .objectPath(HostNames.devicePath($0)) })
        let changes: [String: DBusValue] = [
            "Group": group, "GroupVolume": .double(0.6), "CanGroup": .boolean(true), "Activation": .string("active"),
        ]
        let attic = try device("Attic", id: "A", with: changes), bath = try device("Bath", id: "B", with: changes)
        for device in [attic, bath, try device("Cellar", id: "C")] { view.apply(.device(device)) }
        #expect(view.groups == [[bath, attic]])
        #expect(bath.canGroup && bath.group == ["B", "A"] && bath.groupVolume == 0.6)
        let session = try #require(
            ClientSession(["Id": .string("1"), "Device": .objectPath(bath.path), "Devices": group]))
        #expect(view.names(of: session) == "Bath + Attic")
        let alone = try #require(ClientSession(["Id": .string("2"), "Device": .objectPath(attic.path)]))
        #expect(view.names(of: alone) == "Attic" && alone.devices == [attic.path])

        let lines = GroupTable(groups: [([bath, attic], session)]).lines(width: .max)
        #expect(lines.count == 3 && lines[1].contains("Bath") && lines[1].contains("60 %"))
        #expect(lines[2].contains("Attic") && !lines[2].contains("60 %"))
        #expect(DeviceTable(devices: [bath]).lines(width: .max)[1].contains("in use, grouped"))
    }
}

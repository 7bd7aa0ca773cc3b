import DBus
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
}

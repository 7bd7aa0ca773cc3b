import Foundation
import MediaDevice
import Network
import Testing
import UniformTypeIdentifiers

@testable import UnchangedImports

@MainActor
@Suite("Imports as on iOS")
struct ImportTests {
    @Test("the endpoint of Network is the endpoint of MediaDevice")
    func endpoint() throws {
        let id = "0536744D-E1AF-5A68-A682-886D0CD6223A"
        let endpoint = Network.NWEndpoint.service(name: id, type: "_myprotocol._tcp", domain: "local.", interface: nil)
        let device = try #require(MyDeviceExtension.device(at: endpoint))
        #expect(device.id.uuidString == id)
        #expect(device.networkEndpoints == [endpoint])
        #expect(MyDeviceExtension.device(at: .hostPort(host: "192.0.2.1", port: 80)) == nil)
    }

    @Test("the type of UniformTypeIdentifiers is the type of MediaDevice")
    func type() {
        let type: UniformTypeIdentifiers.UTType = MyDeviceExtension().protocolType
        #expect(type.identifier == "com.example.unchangedimports")
    }
}

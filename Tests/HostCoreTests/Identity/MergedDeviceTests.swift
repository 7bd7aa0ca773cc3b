import HostInterface
import Testing

@testable import HostCore

/// Several devices as one for people.
struct MergedDeviceTests {
    private func device(_ id: String, _ protocolName: String, _ change: (inout HostDevice) -> Void = { _ in })
        -> HostDevice
    {
        var description = HostUnderTest.device
        description.id = id
        description.name = "Name of \(id)"
        description.endpoints = ["\(id):1"]
        var device = HostDevice(
            description: description, extensionIdentifier: "org.example.\(protocolName)",
            protocolIdentifier: protocolName, protocolName: protocolName, availability: .ready)
        change(&device)
        return device
    }

    private let merge = DeviceMerge(
        members: ["A", "B"].map { id in
            DeviceMerge.Member(
                id: id, name: "Name of \(id)", extensionIdentifier: "x", protocolIdentifier: "P", protocolName: "P\(id)"
            )
        })

    private func shown(_ devices: HostDevice..., ownName: String? = nil) throws -> HostDevice {
        try #require(HostDevice(merge, of: devices, ownName: ownName))
    }

    @Test func theFirstIsWhatItIsCalledAndWhatPlays() throws {
        let both = try shown(device("B", "MPD"), device("A", "DLNA"))
        #expect(both.id == "A" && both.description.name == "Name of A" && both.protocolName == "DLNA")
        #expect(both.parts.map(\.id) == ["A", "B"] && both.parts.map(\.isCurrent) == [true, false])
        #expect(try shown(device("A", "DLNA"), ownName: "Küche").description.name == "Küche")
    }

    @Test func whileTheFirstIsNotThereTheOtherIsShownUnderItsName() throws {
        let one = try shown(device("B", "MPD"))
        #expect(one.id == "A" && one.description.name == "Name of A" && one.deviceName == "Name of A")
        #expect(one.protocolName == "MPD" && one.description.endpoints == ["B:1"])
        #expect(one.parts.map(\.availability) == ["absent", "ready"])
        #expect(one.parts[0].protocolName == "PA" && one.parts[0].endpoints.isEmpty)
        #expect(HostDevice(merge, of: [], ownName: "x") == nil)
    }

    @Test(arguments: [
        // First, then second, and which is asked before the other.
        (
            HostDevice.Availability.ready, HostDevice.Activation.idle, HostDevice.Availability.ready,
            HostDevice.Activation.idle, "A"
        ),
        (.ready, .idle, .ready, .active, "B"), (.ready, .idle, .remembered, .reconnecting, "B"),
        (.remembered, .idle, .ready, .idle, "B"), (.unreachable, .active, .ready, .idle, "B"),
        (.unreachable, .active, .remembered, .idle, "B"), (.unreachable, .active, .unreachable, .active, "A"),
        (.ready, .active, .ready, .active, "A"), (.ready, .reconnecting, .ready, .idle, "A"),
        (.remembered, .idle, .remembered, .idle, "A"),
    ])
    func whichIsAskedFirst(
        first: HostDevice.Availability, firstUse: HostDevice.Activation, second: HostDevice.Availability,
        secondUse: HostDevice.Activation, asked: String
    ) throws {
        let device = try shown(
            device("A", "DLNA") { ($0.availability, $0.activation) = (first, firstUse) },
            device("B", "MPD") { ($0.availability, $0.activation) = (second, secondUse) })
        #expect(device.parts.first(where: \.isCurrent)?.id == asked)
        #expect(device.availability == (asked == "A" ? first : second))
    }

    @Test func itCanWhatAnyOfThemCan() throws {
        let device = try shown(
            device("A", "DLNA") {
                $0.description.capabilities = .urlPlayback
                $0.description.volumeControl = .none
                $0.description.canMute = false
            },
            device("B", "MPD") {
                $0.description.capabilities = .appLaunch
                $0.level = 0.4
                $0.isMuted = true
                $0.addedAs = "10.0.0.9"
            })
        #expect(device.description.capabilities == [.urlPlayback, .appLaunch])
        #expect(device.description.volumeControl == .absolute && device.level == 0.4)
        #expect(device.description.canMute && device.isMuted && device.addedAs == "10.0.0.9")
    }

    @Test(arguments: ["DLNA", "dlna", "org.example.dlna", "name of a", "A"])
    func aPartIsMeantByWhatItIsCalled(word: String) {
        #expect(device("A", "DLNA").isMeant(by: word))
        #expect(!device("B", "MPD").isMeant(by: word))
    }
}

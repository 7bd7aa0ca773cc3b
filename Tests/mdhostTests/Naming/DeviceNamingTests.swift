import HostClient
import HostInterface
import Testing

@testable import mdhost

@Suite("Which device a person means")
struct DeviceNamingTests {
    private let devices: [ClientDevice]

    init() throws {
        devices = [
            try device("Living Room", id: "AAAA0000-0000-0000-0000-000000000001"),
            try device("Living Room Speaker", id: "AAAA0000-0000-0000-0000-000000000002"),
            try device("Kitchen", id: "BBBB0000-0000-0000-0000-000000000003"),
            try device("kitchen", id: "CCCC0000-0000-0000-0000-000000000004"),
            try device("Twin", id: "DDDD0000-0000-0000-0000-000000000005"),
            try device("Twin", id: "EEEE0000-0000-0000-0000-000000000006"),
        ]
    }

    @Test(
        "found",
        arguments: [
            ("Living Room", "01"), ("living room", "01"), ("living room s", "02"), ("Kitchen", "03"), ("kitchen", "04"),
            ("bbbb", "03"), ("aaaa0000-0000-0000-0000-000000000002", "02"), ("EEEE", "06"),
        ])
    func found(_ text: String, _ suffix: String) throws {
        #expect(try DeviceNaming.resolve(text, in: devices).id.hasSuffix(suffix))
    }

    @Test("ambiguous names list the candidates", arguments: ["liv", "KITCHEN", "Twin", "aaaa", "k"])
    func ambiguous(_ text: String) throws {
        let error = try #require(throws: HostError.self) { try DeviceNaming.resolve(text, in: devices) }
        #expect(error.code == .ambiguousName)
        #expect(error.message.contains("(DLNA, "))
    }

    @Test("of devices with one name, the protocol to use decides", arguments: ["Kodi", "kodi", "org.mdhost.kodi"])
    func theProtocolDecides(_ way: String) throws {
        var twin = devices[5]
        (twin.protocolName, twin.extension) = ("Kodi", "org.mdhost.kodi")
        let all = Array(devices.dropLast()) + [twin]
        #expect(try DeviceNaming.resolve("Twin", in: all, via: way).id == twin.id)
        #expect(try DeviceNaming.resolve("Living Room", in: all, via: way).id.hasSuffix("01"), "the only one")
        let error = try #require(throws: HostError.self) { try DeviceNaming.resolve("Twin", in: all, via: "MPD") }
        #expect(error.code == .ambiguousName)
    }

    @Test(
        "what a device is made of means it, where nothing else is called so",
        arguments: [
            ("open room", "07"), ("ope", "07"), ("FFFF", "07"), ("ffff0000-0000-0000-0000-00000000000b", "07"),
            ("Kitchen", "03"),
        ])
    func parts(_ text: String, _ suffix: String) throws {
        let merged = try device(
            "Receiver", id: "77770000-0000-0000-0000-000000000007",
            with: try mdhostTests.parts(
                DevicePart("Receiver", by: "DLNA", id: "77770000-0000-0000-0000-000000000007"),
                DevicePart("Open Room", by: "MPD", id: "FFFF0000-0000-0000-0000-00000000000B"),
                DevicePart("Kitchen", by: "Cast", id: "FFFF0000-0000-0000-0000-00000000000C")))
        #expect(try DeviceNaming.resolve(text, in: devices + [merged]).id.hasSuffix(suffix))
    }

    @Test(
        "of what several are one, the whole or a part is meant",
        arguments: [
            ("rec", "77"), ("Receiver", "77"), ("7777", "77"), ("open room", "FF"), ("o", "FF"), ("ffff", "FF"),
            ("nothing", "77"),
        ])
    func part(_ text: String, _ prefix: String) throws {
        let merged = try device(
            "Receiver", id: "77770000-0000-0000-0000-000000000007",
            with: try mdhostTests.parts(
                DevicePart("Receiver", by: "DLNA", id: "77770000-0000-0000-0000-000000000007"),
                DevicePart("Open Room", by: "MPD", id: "FFFF0000-0000-0000-0000-00000000000B")))
        #expect(DeviceNaming.part(text, of: merged).hasPrefix(prefix))
    }

    @Test("two devices of one name are told apart by their identifiers")
    func twins() throws {
        let error = try #require(throws: HostError.self) { try DeviceNaming.resolve("Twin", in: devices) }
        #expect(error.message.contains("Twin (DLNA, DDDD0000), Twin (DLNA, EEEE0000)"))
    }

    @Test(
        "a typo names what is near",
        arguments: [("Kitchne", "“Kitchen”"), ("Twim", "“Twin”"), ("Livin Rom", "“Living Room”")])
    func typo(_ text: String, _ near: String) throws {
        let error = try #require(throws: HostError.self) { try DeviceNaming.resolve(text, in: devices) }
        #expect(error.code == .noSuchDevice)
        #expect(error.message.contains("Did you mean") && error.message.contains(near))
    }

    @Test("nothing near, nothing at all, and an empty name")
    func unknown() throws {
        let far = try #require(throws: HostError.self) { try DeviceNaming.resolve("Bathroom", in: devices) }
        #expect(far.message == "No device is called “Bathroom”.")
        let none = try #require(throws: HostError.self) { try DeviceNaming.resolve("Bathroom", in: []) }
        #expect(none.code == .noSuchDevice && none.message.contains("none was found"))
        let empty = try #require(throws: HostError.self) { try DeviceNaming.resolve("", in: devices) }
        #expect(empty.code == .noSuchDevice)
    }

    @Test(
        "distance counts an exchange of neighbours once",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3),
            ("äö", "öä", 1),
        ])
    func distance(_ first: String, _ second: String, _ expected: Int) {
        #expect(EditDistance.between(first, second) == expected)
    }
}

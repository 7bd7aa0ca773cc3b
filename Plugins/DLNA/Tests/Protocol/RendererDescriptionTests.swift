import Foundation
import Testing

@testable import DLNAProtocol

struct RendererDescriptionTests {
    private func renderers(_ path: String, at location: String) throws -> [RendererDescription] {
        try RendererDescription.renderers(in: Fixtures.bytes(path), location: #require(URL(string: location)))
    }

    @Test func readsGmediarender() throws {
        let renderers = try renderers("gmediarender/description.xml", at: "http://10.77.0.1:49494/description.xml")
        let renderer = try #require(renderers.first)
        #expect(renderers.count == 1)
        #expect(renderer.friendlyName == "Living Room")
        #expect(renderer.deviceName == "uuid:12345678-1234-1234-1234-123456789abc")
        #expect(renderer.type == URN(kind: .device, name: "MediaRenderer", version: 1))
        #expect(renderer.transport.controlURL.absoluteString == "http://10.77.0.1:49494/upnp/control/rendertransport1")
        #expect(renderer.rendering?.type.version == 1)
        #expect(
            renderer.connections.eventURL?.absoluteString == "http://10.77.0.1:49494/upnp/event/renderconnmgr1")
    }

    @Test func readsRygel() throws {
        let renderer = try #require(
            try renderers("rygel/description.xml", at: "http://10.77.0.2:55371/x.xml").first)
        #expect(renderer.type.version == 2)
        #expect(renderer.transport.type.version == 2)
        #expect(renderer.transport.descriptionURL.absoluteString == "http://10.77.0.2:55371/xml/AVTransport2.xml")
        #expect(renderer.modelName == "Rygel")
    }

    @Test func keepsSeveralRenderersOfOneAddressApart() throws {
        let renderers = try renderers("made-up/several-renderers.xml", at: "http://192.0.2.10:1400/d/desc.xml")
        #expect(renderers.map(\.friendlyName) == ["Kitchen & Hall", "Bath"])
        #expect(
            renderers.map(\.deviceName) == ["uuid:11111111-0000-4000-8000-000000000002", "RINCON_B8E93781D11401400_MR"])
    }

    @Test func resolvesAgainstTheLocationIfTheBaseNamesAnotherHost() throws {
        let renderer = try renderers("made-up/several-renderers.xml", at: "http://192.0.2.10:1400/d/desc.xml")[0]
        #expect(renderer.transport.controlURL.absoluteString == "http://192.0.2.10:1400/d/kitchen/avt")
        #expect(renderer.connections.controlURL.absoluteString == "http://192.0.2.10:1400/kitchen/cm")
        #expect(renderer.connections.eventURL == nil)
        let moved = try renderers("made-up/several-renderers.xml", at: "http://192.0.2.77:80/d/desc.xml")[0]
        #expect(moved.transport.controlURL.absoluteString == "http://192.0.2.77:1400/kitchen/avt")
    }

    @Test func dropsServicesOnOtherHosts() throws {
        let bath = try renderers("made-up/several-renderers.xml", at: "http://192.0.2.10:1400/d/desc.xml")[1]
        #expect(bath.rendering == nil)
        #expect(bath.transport.eventURL?.absoluteString == "http://192.0.2.10:1400/bath/avt/events")
        let elsewhere = try renderers("made-up/several-renderers.xml", at: "http://192.0.2.1/")
        #expect(elsewhere.map(\.friendlyName) == ["Kitchen & Hall"])
    }

    @Test(arguments: [
        "file:///etc/passwd", "http://user@192.0.2.1/", "https://192.0.2.1/", "http://:80/", "http://192.0.2.1:0/",
        "//x",
    ])
    func refusesLocationsThatAreNoAddressOfADevice(location: String) throws {
        #expect(throws: DLNAError.self) { try renderers("rygel/description.xml", at: location) }
    }

    @Test func tellsWhatIsNoRenderer() throws {
        #expect(throws: DLNAError.unexpected("html")) { try renderers("hostile/error-page.html", at: "http://h/") }
        #expect(throws: DLNAError.truncated) { try renderers("hostile/truncated.xml", at: "http://h/") }
        #expect(throws: DLNAError.malformed("a mismatched end tag", offset: 20)) {
            try renderers("hostile/crossed.xml", at: "http://h/")
        }
        #expect(throws: DLNAError.notRenderer) {
            try RendererDescription.renderers(
                in: "<root><device><deviceType>urn:x:device:MediaRenderer:1</deviceType></device></root>".utf8,
                location: URL(string: "http://h/")!)
        }
    }

    @Test func shortensANameOfAnyLengthAndOfOneCharacter() throws {
        for long in [String(repeating: "Kitchen ", count: 1_250), "e" + String(repeating: "\u{301}", count: 10_000)] {
            let text = String(decoding: try Fixtures.bytes("gmediarender/description.xml"), as: UTF8.self)
                .replacing("Living Room", with: long)
            let location = try #require(URL(string: "http://192.0.2.1/"))
            let renderer = try #require(try RendererDescription.renderers(in: text.utf8, location: location).first)
            #expect(
                (RendererDescription.longestName - 1...RendererDescription.longestName).contains(
                    renderer.friendlyName.utf8.count))
            #expect(renderer.friendlyName.hasSuffix("…"))
        }
    }

    @Test func staysOnTheHostThroughEveryKindOfReference() throws {
        let addresses = try DeviceAddresses(location: URL(string: "http://h:1/a/b.xml")!)
        #expect(addresses.resolve("c d")?.absoluteString == "http://h:1/a/c%20d")
        #expect(addresses.resolve("http://H:2/x")?.absoluteString == "http://H:2/x")
        for reference in [
            "//other/x", "http://other/", "file:///etc", "https://h/", "http://h@other/", "", "javascript:1",
        ] {
            #expect(addresses.resolve(reference) == nil, "\(reference)")
        }
    }

    @Test func readsTypes() {
        #expect(
            URN("urn:schemas-upnp-org:device:MediaRenderer:2") == URN(kind: .device, name: "MediaRenderer", version: 2))
        #expect(URN("urn:a:device:B:0") == nil)
        #expect(URN("urn:a:device:B:99999999999999999999") == nil)
        #expect(URN("urn:a:gadget:B:1") == nil)
    }
}

struct ServiceDescriptionTests {
    @Test(arguments: ["gmediarender", "rygel"])
    func readsWhatRealRenderersCanDo(device: String) throws {
        let rendering = try ServiceDescription(parsing: Fixtures.bytes("\(device)/RenderingControl.scpd.xml"))
        #expect(rendering.volumeRange == .init(minimum: 0, maximum: 100, step: 1))
        #expect(rendering.canMute)
        let transport = try ServiceDescription(parsing: Fixtures.bytes("\(device)/AVTransport.scpd.xml"))
        #expect(transport.actions.isSuperset(of: ["SetAVTransportURI", "Play", "Pause", "Stop", "Seek"]))
        #expect(transport.seekModes.contains("REL_TIME"))
        #expect(transport.volumeRange == nil)
        #expect(transport.variables["TransportState"]?.allowedValues.contains("NO_MEDIA_PRESENT") == true)
    }

    @Test func keepsOddRangesAndDropsImpossibleOnes() throws {
        let odd = try ServiceDescription(parsing: Fixtures.bytes("made-up/volume-range.scpd.xml"))
        #expect(odd.volumeRange == .init(minimum: -10, maximum: 40, step: 5))
        #expect(!odd.canMute)
        let head =
            "<scpd><actionList><action><name>GetVolume</name></action><action><name>SetVolume</name></action></actionList>"
        let document = { (range: String) in
            head
                + "<serviceStateTable><stateVariable><name>Volume</name><allowedValueRange>\(range)</allowedValueRange>"
                + "</stateVariable></serviceStateTable></scpd>"
        }
        #expect(
            try ServiceDescription(parsing: document("<minimum>9</minimum><maximum>1</maximum>").utf8).volumeRange
                == .init(minimum: 0, maximum: 100))
        #expect(
            try ServiceDescription(parsing: document("<minimum>5</minimum><maximum>5</maximum>").utf8).volumeRange
                == nil)
        #expect(throws: DLNAError.unexpected("html")) {
            try ServiceDescription(parsing: Fixtures.bytes("hostile/error-page.html"))
        }
    }

    @Test func scalesVolumeBothWays() {
        let plain = VolumeScale(.init(minimum: 0, maximum: 100))
        #expect(plain.level(of: 33) == 0.33)
        #expect(plain.raw(of: 0.33) == 33)
        #expect([-5, 4000].map(plain.level) == [0, 1])
        #expect([-1, 2, .nan, .infinity].map(plain.raw) == [0, 100, 0, 100])
        let odd = VolumeScale(.init(minimum: -10, maximum: 40, step: 5))
        #expect(odd.raw(of: 0.33) == 5)
        #expect(odd.level(of: 15) == 0.5)
        for raw in stride(from: -10, through: 40, by: 5) { #expect(odd.raw(of: odd.level(of: raw)) == raw) }
        let uneven = VolumeScale(.init(minimum: 0, maximum: 10, step: 4))
        #expect(uneven.raw(of: 1) == 10 || uneven.raw(of: 1) == 8)
        #expect(uneven.raw(of: 1) <= 10)
        let vast = VolumeScale(.init(minimum: .min, maximum: .max))
        #expect(vast.level(of: 0) == 0.5)
        #expect(vast.raw(of: 0) == .min)
    }
}

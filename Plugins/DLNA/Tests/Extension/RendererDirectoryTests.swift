import Foundation
import MediaDevice
import TestConditions
import Testing

@testable import DLNAExtension
@testable import DLNAProtocol
@testable import PlaybackKit

@Suite(.timeLimit(.minutes(1)))
@MainActor
final class RendererDirectoryTests {
    private let fake = FakeRenderer()
    private let clock = ManualTime()
    private var changes: [String] = []
    private lazy var directory = DescribedDevices(clock: self.clock.clock) { [fake] location in
        try await RendererDetails.reading(location, transport: fake)
    } report: { [weak self] change in
        switch change {
        case .found(let details): self?.changes.append("found \(details.description.friendlyName)")
        case .changed(let details): self?.changes.append("changed \(details.description.location.absoluteString)")
        case .lost(let details): self?.changes.append("lost \(details.description.friendlyName)")
        }
    }

    private static let name = "uuid:12345678-1234-1234-1234-123456789abc"
    private static let usn = "\(name)::urn:schemas-upnp-org:device:MediaRenderer:1"

    private func serve(at location: String) throws {
        let bytes = try Fixtures.bytes("gmediarender/description.xml")
        let rendering = try Fixtures.bytes("gmediarender/RenderingControl.scpd.xml")
        let transport = try Fixtures.bytes("gmediarender/AVTransport.scpd.xml")
        let base = String(location.dropLast("/description.xml".count))
        fake.change {
            $0.documents[location] = bytes
            $0.documents[base + "/upnp/rendercontrolSCPD.xml"] = rendering
            $0.documents[base + "/upnp/rendertransportSCPD.xml"] = transport
        }
    }

    private func announce(_ location: String, as usn: String = usn, boot: String? = nil) throws {
        directory.announce(
            .init(usn: usn, location: try #require(URL(string: location)), bootIdentifier: boot))
    }

    @Test func findsARendererWithAllItCanDo() async throws {
        try serve(at: "http://10.77.0.1:49494/description.xml")
        try announce("http://10.77.0.1:49494/description.xml")
        await eventually("it is found") { changes == ["found Living Room"] }
        let identifier = try #require(UUID(uuidString: "12345678-1234-1234-1234-123456789abc"))
        let details = try #require(directory.description(of: identifier))
        #expect(details.volume?.range == .init(minimum: 0, maximum: 100))
        #expect(details.canMute)
        #expect(details.seekUnit == "REL_TIME")
        #expect(details.formats.mimeTypes == ["audio/mpeg", "audio/flac"])
        let device = try #require(details.device)
        #expect(device.id == identifier)
        #expect(device.capabilities == .urlPlayback)
        #expect(device.volumeControl == .absolute)
        #expect(device.deviceType == .hifiSpeaker)
        #expect(device.descriptionLocation?.absoluteString == "http://10.77.0.1:49494/description.xml")
    }

    @Test func losesItWhenNothingAnnouncesItAnyMore() async throws {
        try serve(at: "http://10.77.0.1:49494/description.xml")
        let second = "\(Self.name)::urn:schemas-upnp-org:device:MediaRenderer:2"
        try announce("http://10.77.0.1:49494/description.xml")
        await eventually("it is found") { changes.count == 1 }
        try announce("http://10.77.0.1:49494/description.xml", as: second)
        directory.withdraw(usn: Self.usn)
        #expect(changes.count == 1)
        directory.withdraw(usn: second)
        directory.withdraw(usn: second)
        #expect(changes == ["found Living Room", "lost Living Room"])
    }

    @Test func followsADeviceThatMovesOrRestarts() async throws {
        try serve(at: "http://10.77.0.1:49494/description.xml")
        try serve(at: "http://10.77.0.5:49494/description.xml")
        try announce("http://10.77.0.1:49494/description.xml", boot: "1")
        await eventually("it is found") { changes.count == 1 }
        try announce("http://10.77.0.1:49494/description.xml", boot: "1")
        fake.change { $0.documents["http://10.77.0.1:49494/description.xml"] = nil }
        try announce("http://10.77.0.5:49494/description.xml", boot: "1")
        await eventually("it moved") { changes.count == 2 }
        try announce("http://10.77.0.5:49494/description.xml", boot: "2")
        await eventually("it restarted") { changes.count == 3 }
        #expect(
            changes == [
                "found Living Room", "changed http://10.77.0.5:49494/description.xml",
                "changed http://10.77.0.5:49494/description.xml",
            ])
    }

    @Test func staysWithADeviceThatStillAnswersWhereItIsKnown() async throws {
        try serve(at: "http://10.77.0.1:49494/description.xml")
        try serve(at: "http://10.77.0.5:49494/description.xml")
        try announce("http://10.77.0.1:49494/description.xml")
        await eventually("it is found") { changes.count == 1 }
        let asked = fake.count("GET")
        try announce("http://10.77.0.5:49494/description.xml")
        await eventually("it was looked for where it is known") { fake.count("GET") == asked + 3 }
        try announce("http://10.77.0.1:49494/description.xml")
        directory.withdraw(usn: Self.usn)
        #expect(changes == ["found Living Room", "lost Living Room"])
    }

    @Test func findsAgainWhatItKnowsAfterAPause() async throws {
        try serve(at: "http://10.77.0.1:49494/description.xml")
        try announce("http://10.77.0.1:49494/description.xml")
        await eventually("it is found") { changes.count == 1 }
        let asked = fake.count("GET")
        directory.reset()
        try announce("http://10.77.0.1:49494/description.xml")
        try announce("http://10.77.0.1:49494/description.xml")
        #expect(changes == ["found Living Room", "found Living Room"])
        #expect(fake.count("GET") == asked)
    }

    @Test func triesAgainWhileADeviceBoots() async throws {
        try serve(at: "http://10.77.0.1:49494/description.xml")
        fake.change { $0.failures["GET"] = [.unreachable("x")] }
        try announce("http://10.77.0.1:49494/description.xml")
        await eventually("it will try again") { clock.nextPause == .seconds(1) }
        clock.advance(by: .seconds(1))
        await eventually("it is found") { changes == ["found Living Room"] }
    }

    @Test func forgetsADeviceThatLeavesWhileItIsRead() async throws {
        try serve(at: "http://10.77.0.1:49494/description.xml")
        fake.change { $0.failures["GET"] = [.unreachable("x")] }
        try announce("http://10.77.0.1:49494/description.xml")
        await eventually("it will try again") { clock.nextPause == .seconds(1) }
        directory.withdraw(usn: Self.usn)
        clock.advance(by: .seconds(1))
        await eventually("the attempt is over") { clock.nextPause == nil }
        for _ in 0..<100 { await Task.yield() }
        #expect(fake.count("GET") == 1)
        #expect(changes == [])
    }

    @Test func keepsSeveralRenderersOfOneDescriptionApart() async throws {
        let location = "http://192.0.2.77:1400/d/desc.xml"
        let bytes = try Fixtures.bytes("made-up/several-renderers.xml")
        fake.change { $0.documents[location] = bytes }
        try announce(
            location, as: "uuid:11111111-0000-4000-8000-000000000002::urn:schemas-upnp-org:device:MediaRenderer:1")
        await eventually("the first is found") { changes == ["found Kitchen & Hall"] }
        try announce(
            location, as: "uuid:11111111-0000-4000-8000-000000000001::urn:schemas-upnp-org:device:MediaServer:1")
        #expect(changes == ["found Kitchen & Hall"])
    }

    @Test func isNotSentElsewhere() async throws {
        for host in ["127.0.0.1", "127.1", "2130706433", "localhost", "169.254.169.254", "10.77.1.1", "[::1]"] {
            let url = try #require(URL(string: "http://\(host):49494/description.xml"))
            try serve(at: url.absoluteString)
            let usn = "uuid:\(UUID().uuidString)::urn:schemas-upnp-org:device:MediaRenderer:1"
            directory.announce(.init(usn: usn, location: url, bootIdentifier: nil, addresses: ["10.77.0.1"]))
        }
        try serve(at: "http://10.77.0.1:49494/description.xml")
        let own = try #require(URL(string: "http://172818433:49494/description.xml"))
        directory.announce(.init(usn: Self.usn, location: own, bootIdentifier: nil, addresses: ["10.77.0.1"]))
        await eventually("it is found") { changes == ["found Living Room"] }
        let identifier = try #require(UUID(uuidString: "12345678-1234-1234-1234-123456789abc"))
        // The location has the number in the form of an address.
        #expect(directory.description(of: identifier)?.description.location.host() == "10.77.0.1")
        #expect(fake.count("GET") == 3)
    }

    @Test func readsARememberedDeviceOnlyIfItIsTheSame() async throws {
        let location = try #require(URL(string: "http://10.77.0.1:49494/description.xml"))
        try serve(at: location.absoluteString)
        let identifier = try #require(UUID(uuidString: "12345678-1234-1234-1234-123456789abc"))
        #expect(try await directory.read(identifier, at: location)?.description.friendlyName == "Living Room")
        #expect(try await directory.read(UUID(), at: location) == nil)
    }

    @Test func namesDevicesByTheirUniqueNameOnly() throws {
        var description = try RendererDetails.fake().description
        let identifier = description.identifier
        #expect(identifier.uuidString == "12345678-1234-1234-1234-123456789ABC")
        description.deviceName = "UUID:12345678-1234-1234-1234-123456789ABC"
        description.location = try #require(URL(string: "http://198.51.100.1/"))
        #expect(description.identifier == identifier)
        description.deviceName = "uuid:RINCON_B8E93781D11401400_MR"
        let named = description.identifier
        #expect(named.uuidString.split(separator: "-")[2].hasPrefix("5"))
        description.deviceName = "RINCON_B8E93781D11401400_MR"
        #expect(description.identifier == named)
    }

    @Test func guessesWhatADeviceLooksLike() throws {
        var details = try RendererDetails.fake(formats: "http-get:*:video/mp4:*")
        #expect(details.device?.deviceType == .tv)
        details.description.modelDescription = "Wi-Fi Speaker with Bluetooth"
        #expect(details.device?.deviceType == .hifiSpeaker)
        details.description.friendlyName = "[TV] Samsung 7 Series"
        #expect(details.device?.deviceType == .tv)
        details.volume = nil
        #expect(details.device?.volumeControl == MediaOutputDevice.VolumeControl.none)
    }
}

struct ManifestTests {
    private struct Manifest: Decodable {
        struct Attributes: Decodable {
            var EXExtensionPointIdentifier: String
            var MDRequestedDomains: [String]
        }
        struct Declaration: Decodable {
            var UTTypeIdentifier: String
            var UTTypeDescription: String
            var UTTypeConformsTo: [String]
        }
        var CFBundleIdentifier: String
        var CFBundleExecutable: String
        var EXAppExtensionAttributes: Attributes
        var UTExportedTypeDeclarations: [Declaration]
        var MDHostSSDPSearchTargets: [String]
    }

    @Test @MainActor func saysTheSameAsTheProgram() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Extension/DLNA.mdext/Info.plist")
        let manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
        #expect(manifest.CFBundleIdentifier == "org.mdhost.dlna")
        #expect(manifest.CFBundleExecutable == "mdhost-dlna")
        #expect(manifest.EXAppExtensionAttributes.EXExtensionPointIdentifier == "com.apple.media-device-extension")
        #expect(manifest.EXAppExtensionAttributes.MDRequestedDomains == [])
        let declaration = try #require(manifest.UTExportedTypeDeclarations.first)
        #expect(declaration.UTTypeIdentifier == DLNAExtension().protocolType.identifier)
        #expect(declaration.UTTypeConformsTo == ["public.media-sharing-protocol"])
        #expect(manifest.MDHostSSDPSearchTargets == RendererDevices.searchTargets)
    }
}

import Foundation
import MediaDevice
import Synchronization
import TestConditions
import Testing

@testable import DLNAExtension
@testable import DLNAProtocol
@testable import PlaybackKit

/// A sender that announces ever-new addresses of a server that never answers.
@Suite(.timeLimit(.minutes(1)))
@MainActor
final class AnnouncementFloodTests {
    /// Never answers at one host, and counts the requests there; elsewhere a renderer.
    private final class SilentHost: DeviceTransport {
        struct State {
            var now = 0
            var most = 0
            var addresses: [String] = []
        }

        let renderer = FakeRenderer()
        let state = Mutex(State())

        func send(_ request: DeviceRequest) async throws(DeviceFailure) -> DeviceAnswer {
            guard request.url.host()?.hasPrefix("198.51.100.") == true else { return try await renderer.send(request) }
            state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
                $0.addresses.append(request.url.absoluteString)
            }
            defer { state.withLock { $0.now -= 1 } }
            try? await Task.sleep(for: .seconds(3600))
            throw .cancelled
        }
    }

    private let transport = SilentHost()
    private let clock = ManualTime()
    private var found: [String] = []
    private lazy var directory = DescribedDevices(clock: self.clock.clock) { [transport] location in
        try await RendererDetails.reading(location, transport: transport)
    } report: { [weak self] change in
        if case .found(let details) = change { self?.found.append(details.description.friendlyName) }
    }

    private func announce(_ location: String, uuid: String, sender: String) throws {
        directory.announce(
            .init(
                usn: "uuid:\(uuid)::urn:schemas-upnp-org:device:MediaRenderer:1",
                location: try #require(URL(string: location)), bootIdentifier: nil, addresses: [sender]))
    }

    private func serveRenderer() throws {
        let documents = try [
            "description.xml": Fixtures.bytes("gmediarender/description.xml"),
            "upnp/rendercontrolSCPD.xml": Fixtures.bytes("gmediarender/RenderingControl.scpd.xml"),
            "upnp/rendertransportSCPD.xml": Fixtures.bytes("gmediarender/AVTransport.scpd.xml"),
        ]
        transport.renderer.change { state in
            for (path, bytes) in documents { state.documents["http://10.77.0.1:49494/\(path)"] = bytes }
        }
    }

    @Test func readsOnlyAFewOfOneSenderAtATime() async throws {
        try serveRenderer()
        for number in 0..<500 {
            try announce("http://198.51.100.1/\(number).xml", uuid: UUID().uuidString, sender: "198.51.100.1")
        }
        try announce(
            "http://10.77.0.1:49494/description.xml", uuid: "12345678-1234-1234-1234-123456789abc", sender: "10.77.0.1")
        await eventually("the real one is found") { found == ["Living Room"] }
        #expect(transport.state.withLock(\.most) == ReadingSlots.Bounds().perSender)
    }

    @Test func findsARendererBesideTenSendersThatNeverAnswer() async throws {
        try serveRenderer()
        for number in 0..<5_000 {
            let sender = "198.51.100.\(number % 10 + 1)"
            try announce("http://\(sender)/\(number).xml", uuid: UUID().uuidString, sender: sender)
        }
        try announce(
            "http://10.77.0.1:49494/description.xml", uuid: "12345678-1234-1234-1234-123456789abc", sender: "10.77.0.1")
        await eventually("the real one is found") { found == ["Living Room"] }
        #expect(transport.state.withLock(\.most) <= ReadingSlots.Bounds().total)
    }

    @Test func readsTheNewestAddressOfADevice() async throws {
        let uuid = UUID().uuidString
        // Two other devices take the sender's slots.
        for number in 0..<2 {
            try announce("http://198.51.100.1/busy\(number)", uuid: UUID().uuidString, sender: "198.51.100.1")
        }
        await eventually("the slots are taken") { transport.state.withLock(\.now) == 2 }
        for number in 0..<300 {
            try announce("http://198.51.100.1/\(number)", uuid: uuid, sender: "198.51.100.1")
        }
        try serveRenderer()
        try announce(
            "http://10.77.0.1:49494/description.xml", uuid: "12345678-1234-1234-1234-123456789abc", sender: "10.77.0.1")
        await eventually("the real one is found") { found == ["Living Room"] }
        #expect(transport.state.withLock(\.addresses).count == 2)
    }
}

import Foundation
import MediaDeviceTesting
import NIOPosix
import PlaybackKit
import Testing

@testable import DLNAExtension
@testable import DLNAProtocol

/// The extension, as the host calls it, with a renderer in memory under a clock that the test moves. The renderer sends
/// no events; the test hands them on itself.
@MainActor
final class RendererRoom {
    let fake = FakeRenderer()
    let clock = ManualTime()
    let system: TestSystem<DLNAExtension>
    let device: MediaOutputDevice
    private var session: TestSession<DLNAExtension>?

    init() throws {
        // Nothing listens at this port, so that no subscription keeps the activation waiting.
        let location = try #require(URL(string: "http://127.0.0.1:1/description.xml"))
        let documents = try [
            "description.xml": Array(
                Fixtures.text("gmediarender/description.xml").replacing("Living Room", with: "Kitchen").utf8),
            "upnp/rendercontrolSCPD.xml": Fixtures.bytes("gmediarender/RenderingControl.scpd.xml"),
            "upnp/rendertransportSCPD.xml": Fixtures.bytes("gmediarender/AVTransport.scpd.xml"),
        ]
        fake.change { state in
            for (path, bytes) in documents { state.documents["http://127.0.0.1:1/\(path)"] = bytes }
        }
        let network = RendererNetwork(
            transport: fake, servers: EventServers(group: MultiThreadedEventLoopGroup.singleton), time: clock.time,
            clock: clock.clock)
        system = TestSystem(DLNAExtension(network: network, clock: network.clock))
        device = try #require(
            MediaOutputDevice(
                id: UUID(uuidString: "12345678-1234-1234-1234-123456789abc")!, displayName: "Kitchen",
                capabilities: .urlPlayback, volumeControl: .absolute, canMute: true,
                requiredNetworkEndpoints: [.hostPort(host: "127.0.0.1", port: 1), .url(location)]))
    }

    /// The player of the active device.
    var player: RendererPlayer { get throws { try #require(system.extension.devices.player(of: device)) } }

    /// Activates the device, and forgets the requests for that.
    func activate() async throws -> TestSession<DLNAExtension> {
        if let session { return session }
        let new = system.activate(device)
        try await new.activated()
        session = new
        fake.change { $0.calls = [] }
        return new
    }

    /// The start and the ending of the playback, so far.
    var reports: [String] {
        system.reports.compactMap { report in
            switch report {
            case .started: "started"
            case .sessionEnded: "ended"
            case .sessionFailed: "failed"
            default: nil
            }
        }
    }

    var failure: ReportedError? {
        for case .sessionFailed(_, let error) in system.reports { return error }
        return nil
    }
}

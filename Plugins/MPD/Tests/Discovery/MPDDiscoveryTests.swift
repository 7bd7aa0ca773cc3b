import DeviceDiscovery
import Foundation
import HostInterface
import Synchronization
import Testing

@testable import MPDExtension

/// The extension's search against a stand-in for the host's shared browser.
@Suite(.serialized, .timeLimit(.minutes(1)))
@MainActor
struct MPDDiscoveryTests {
    /// A browser of the host that a test speaks for.
    final class Source: DiscoverySource {
        private let browses = Mutex<[(request: BrowseRequest, events: AsyncStream<BrowseEvent>.Continuation)]>([])

        func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> {
            let (stream, continuation) = AsyncStream.makeStream(of: BrowseEvent.self)
            browses.withLock { $0.append((request, continuation)) }
            return stream
        }

        var requests: [BrowseRequest] { browses.withLock { $0.map(\.request) } }

        /// Speaks to the browser started last.
        func say(_ kind: BrowseEvent.Kind, _ item: BrowseItem? = nil, message: String? = nil) {
            _ = browses.withLock { $0.last?.events.yield(BrowseEvent(kind, item: item, message: message)) }
        }
    }

    private let source = Source()
    private let recorder = ReportRecorder()
    private let subject: MPDExtension

    init() async {
        DiscoverySources.install(source)
        subject = MPDExtension(reports: recorder, timeouts: MPDTimeouts())
        subject.startDeviceDiscovery()
        await eventually("the request") { source.requests.count == 1 }
    }

    private func item(_ name: String, _ addresses: [String]) -> BrowseItem {
        BrowseItem(
            name: name, type: "_mpd._tcp", domain: "local", interfaces: ["lo"], addresses: addresses, host: "pi.local",
            port: 6600)
    }

    @Test func reportsServersWithEveryAddressInOrder() async {
        #expect(source.requests == [BrowseRequest(kind: .bonjour, type: "_mpd._tcp", includesTXT: true)])
        source.say(.found, item("Room[28]", []))
        source.say(.changed, item("Room[28]", ["fe80::1%lo", "10.0.0.5"]))
        #expect(await recorder.reports(atLeast: 1) == [.found("Room")])
        let device = recorder.devices.first
        #expect(
            device?.networkEndpoints.compactMap { MPDAddress($0) } == [
                MPDAddress(host: "fe80::1%lo", port: 6600), MPDAddress(host: "10.0.0.5", port: 6600),
            ])
        #expect(device?.capabilities == .urlPlayback && device?.volumeControl == .absolute && device?.canMute == false)
        #expect(device?.deviceType == .hifiSpeaker)
        subject.stopDeviceDiscovery()
    }

    @Test func knowsAServerAgainAfterItsRestart() async {
        source.say(.found, item("Room[28]", ["10.0.0.5"]))
        _ = await recorder.reports(atLeast: 1)
        source.say(.lost, item("Room[28]", ["10.0.0.5"]))
        #expect(await recorder.reports(atLeast: 2).last == .lost("Room"))
        source.say(.found, item("Room[4711]", ["10.0.0.9"]))
        #expect(await recorder.reports(atLeast: 3).last == .found("Room"))
        #expect(Set(recorder.devices.map(\.id)).count == 1)

        subject.stopDeviceDiscovery()
        subject.startDeviceDiscovery()
        await eventually("a new request") { source.requests.count == 2 }
        source.say(.found, item("Room[4711]", ["10.0.0.9"]))
        #expect(await recorder.reports(atLeast: 4).last == .found("Room"))
        subject.stopDeviceDiscovery()
    }

    @Test func reportsASearchThatFails() async {
        source.say(.failed, message: "There is no network.")
        #expect(await recorder.reports(atLeast: 1) == [.discoveryFailed])
        subject.startDeviceDiscovery()
        await eventually("another try") { source.requests.count == 2 }
        subject.stopDeviceDiscovery()
    }
}

import DeviceDiscovery
import Dispatch
import Foundation
import HostInterface
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct BonjourAnnouncementTests {
    /// A host whose events a test writes.
    private final class Host: DiscoverySource {
        let requests: AsyncStream<AnnounceRequest>
        /// One element whenever an announcement is taken back.
        let endings: AsyncStream<Void>
        private let asked: AsyncStream<AnnounceRequest>.Continuation
        private let ended: AsyncStream<Void>.Continuation
        private let feed = Mutex<AsyncStream<AnnounceEvent>.Continuation?>(nil)

        init() {
            (requests, asked) = AsyncStream.makeStream()
            (endings, ended) = AsyncStream.makeStream()
        }

        func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> { AsyncStream { $0.finish() } }

        func announce(_ request: AnnounceRequest) -> AsyncStream<AnnounceEvent> {
            let (events, feed) = AsyncStream.makeStream(of: AnnounceEvent.self)
            feed.onTermination = { [ended] _ in ended.yield() }
            self.feed.withLock { $0 = feed }
            asked.yield(request)
            return events
        }

        func tell(_ event: AnnounceEvent) { _ = feed.withLock { $0?.yield(event) } }
        func finish() { feed.withLock { $0?.finish() } }
    }

    private let host = Host()
    private let slot = DiscoverySourceSlot()

    private func make(
        name: String = "Kitchen", type: String = "_remote._tcp", port: UInt16 = 4000
    ) throws -> (BonjourAnnouncement, AsyncStream<BonjourAnnouncement.State>) {
        let parameters = NWParameters.tcp
        parameters.requiredInterface = NWInterface(name: "lo")
        let announcement = BonjourAnnouncement(
            name: name, type: type, port: try #require(NWEndpoint.Port(rawValue: port)),
            txtRecord: NWTXTRecord(["Ver": "1"]), using: parameters, slot: slot)
        let (states, feed) = AsyncStream.makeStream(of: BonjourAnnouncement.State.self)
        announcement.stateUpdateHandler = { feed.yield($0) }
        announcement.start(queue: DispatchQueue(label: "BonjourAnnouncementTests"))
        return (announcement, states)
    }

    @Test func theHostIsAskedAndItsWordTold() async throws {
        slot.install(host)
        let (announcement, states) = try make(type: "_remote._tcp.")
        let request = await host.requests.first()
        #expect(
            request
                == AnnounceRequest(
                    name: "Kitchen", type: "_remote._tcp", port: 4000, txt: ["Ver": Data("1".utf8)], interface: "lo"))
        host.tell(.waiting("Avahi is down."))
        #expect(await states.first() == .waiting(.dns(DNSServiceErrorType(kDNSServiceErr_ServiceNotRunning))))
        #expect(announcement.stateMessage == "Avahi is down.")
        host.tell(.published("Kitchen #2"))
        #expect(await states.first() == .published(name: "Kitchen #2"))
        #expect(announcement.stateMessage == nil)
        announcement.cancel()
        #expect(await states.first() == .cancelled)
        #expect(await host.endings.first() != nil)
    }

    @Test(arguments: [
        (AnnounceEvent.Refusal.notDeclared, kDNSServiceErr_PolicyDenied), (.tooMany, kDNSServiceErr_Refused),
        (.invalid, kDNSServiceErr_BadParam), (.unsupported, kDNSServiceErr_Unsupported),
    ])
    func aRefusalIsTyped(_ refusal: AnnounceEvent.Refusal, _ code: Int) async throws {
        slot.install(host)
        let (announcement, states) = try make()
        _ = await host.requests.first()
        host.tell(.failed(refusal, "No."))
        #expect(await states.first() == .failed(.dns(DNSServiceErrorType(code))))
        #expect(announcement.stateMessage == "No.")
    }

    @Test func whatCanNeverBeAnnouncedIsNotAskedFor() async throws {
        slot.install(host)
        for (announcement, states) in [
            try make(name: ""), try make(name: String(repeating: "n", count: 64)), try make(type: ""),
        ] {
            #expect(await states.first() == .failed(.dns(DNSServiceErrorType(kDNSServiceErr_BadParam))))
            #expect(announcement.stateMessage?.hasPrefix("It cannot be announced: ") == true)
        }
    }

    @Test func itBeginsOnceTheHostIsThere() async throws {
        let (announcement, states) = try make()
        #expect(await states.first() == .waiting(.dns(DNSServiceErrorType(kDNSServiceErr_ServiceNotRunning))))
        slot.install(host)
        _ = await host.requests.first()
        host.tell(.published("Kitchen"))
        #expect(await states.first() == .published(name: "Kitchen"))
        host.finish()
        #expect(await states.first() == .failed(.dns(DNSServiceErrorType(kDNSServiceErr_DefunctConnection))))
        withExtendedLifetime(announcement) {}
    }

    @Test func oneThatNobodyHoldsIsTakenBack() async throws {
        slot.install(host)
        do {
            let (announcement, _) = try make()
            _ = await host.requests.first()
            withExtendedLifetime(announcement) {}
        }
        #expect(await host.endings.first() != nil)
    }
}

import Avahi
import HostInterface
import Logging
import ManualTime
import Testing

@testable import HostDiscovery

/// A thousand services of one type: every batch is a round trip to the extension, so there must be few.
@Suite(.timeLimit(.minutes(1)))
struct CrowdedBrowseTests {
    private static let crowd = 1000
    /// A tenth of one round trip for each service.
    private static let mostBatches = crowd / 10

    private let sources = FakeSources()
    private let clock = ManualClock()
    private let request = BrowseRequest(kind: .bonjour, type: "_mpd._tcp", includesTXT: true)

    private func discovery() -> SharedDiscovery {
        SharedDiscovery(
            bonjour: sources, ssdp: sources, prober: FakeProber(), logger: Logger(label: "test"), clock: clock)
    }

    private func row(_ number: Int) -> AvahiService {
        AvahiService(
            name: "Room \(number)", type: "_mpd._tcp", domain: "local", interfaceIndex: 2, interfaceName: "eth0",
            family: .ipv4)
    }

    /// Waits until the browse has received everything up to `settled`, which a new reader gets at once.
    private func heardAll(by discovery: SharedDiscovery) async {
        while true {
            var probe = BrowseReader(await discovery.browse(request))
            while let batch = await probe.nextBatch() {
                if batch.contains(BrowseEvent(.settled)) { return }
                if batch.count < SharedDiscovery.largestBatch { break }
            }
            await Task.yield()
        }
    }

    @Test func servicesThatAppearWhileTheReaderRestsShareBatches() async {
        let discovery = discovery()
        var reader = BrowseReader(await discovery.browse(request))
        let browse = await sources.nextBonjour()
        browse.appear(row(1))
        #expect(await reader.next()?.item?.name == "Room 1", "the first is not held back")
        let rest = Task { [reader] in
            var reader = reader
            let events = await reader.settled()
            return (events, reader.batchCount)
        }
        await clock.slept(times: 1)
        for number in 2...Self.crowd { browse.appear(row(number)) }
        browse.yield(.settled)
        await heardAll(by: discovery)
        clock.advance(by: .seconds(1))
        let (events, batches) = await rest.value
        #expect(events.count { $0.kind == .found } == Self.crowd - 1)
        #expect(batches <= Self.mostBatches)
    }

    @Test func aReaderThatComesLateIsToldInFewBatchesWithoutResting() async {
        let discovery = discovery()
        let first = await discovery.browse(request)
        let browse = await sources.nextBonjour()
        for number in 1...Self.crowd { browse.appear(row(number)) }
        browse.yield(.settled)
        await heardAll(by: discovery)
        // The clock isn't advanced.
        var late = BrowseReader(await discovery.browse(request))
        #expect(await late.settled().count == Self.crowd)
        #expect(late.batchCount <= Self.mostBatches)
        withExtendedLifetime(first) {}
    }
}

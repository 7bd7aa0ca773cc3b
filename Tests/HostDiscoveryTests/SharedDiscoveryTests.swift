import Avahi
import Foundation
import HostInterface
import Logging
import Reachability
import SSDP
import Synchronization
import Testing

@testable import HostDiscovery

@Suite(.timeLimit(.minutes(1)))
struct SharedDiscoveryTests {
    private let sources = FakeSources()
    private let prober = FakeProber()

    private func discovery() -> SharedDiscovery {
        SharedDiscovery(
            bonjour: sources, ssdp: sources, prober: prober, logger: Logger(label: "test"))
    }

    private let request = BrowseRequest(kind: .bonjour, type: "_mpd._tcp")

    private func row(_ name: String) -> AvahiService {
        AvahiService(
            name: name, type: "_mpd._tcp", domain: "local", interfaceIndex: 2, interfaceName: "eth0", family: .ipv4)
    }

    private func next(_ reader: inout BrowseReader) async -> String {
        guard let event = await reader.next() else { return "end" }
        return [event.kind.rawValue, event.item?.name].compactMap(\.self).joined(separator: " ")
    }

    @Test func oneBrowseServesAllAndALateReaderHearsEverything() async throws {
        let discovery = discovery()
        var first = BrowseReader(await discovery.browse(request))
        let browse = await sources.nextBonjour()
        for name in ["A", "B"] {
            browse.appear(row(name))
            #expect(await next(&first) == "found \(name)")
        }
        browse.yield(.settled)
        #expect(await next(&first) == "settled")
        browse.yield(.removed(row("A")))
        #expect(await next(&first) == "lost A")

        var late = BrowseReader(await discovery.browse(request))
        for expected in ["found B", "settled"] { #expect(await next(&late) == expected) }
        browse.appear(row("C"))
        #expect(await next(&first) == "found C")
        #expect(await next(&late) == "found C")
        #expect(await discovery.browseCount == 1)
        #expect(sources.started == ["_mpd._tcp"])
    }

    @Test func differentRequestsAreDifferentBrowses() async throws {
        let discovery = discovery()
        let plain = await discovery.browse(request)
        let resolving = await discovery.browse(BrowseRequest(kind: .bonjour, type: "_mpd._tcp", includesTXT: true))
        #expect(await discovery.browseCount == 2)
        withExtendedLifetime((plain, resolving)) {}
    }

    @Test func lastReaderToLeaveStopsTheBrowse() async throws {
        let discovery = discovery()
        let one = Task { for await _ in await discovery.browse(request) {} }
        let browse = await sources.nextBonjour()
        let ended = AsyncStream<Void>.makeStream()
        browse.onTermination = { _ in ended.continuation.finish() }
        let other = Task {
            for await events in await discovery.browse(request) where events.contains(BrowseEvent(.settled)) { break }
        }
        browse.yield(.settled)
        await other.value
        #expect(await discovery.browseCount == 1)
        one.cancel()
        await one.value
        for await _ in ended.stream {}
        #expect(await discovery.browseCount == 0)
    }

    @Test func streamThatIsNeverReadLeavesWhenItIsDropped() async throws {
        let discovery = discovery()
        var stream: AsyncStream<[BrowseEvent]>? = await discovery.browse(request)
        #expect(await discovery.browseCount == 1)
        _ = stream
        stream = nil
        while await discovery.browseCount > 0 { await Task.yield() }
    }

    @Test func newReaderAfterTheLastLeftStartsAfresh() async throws {
        let discovery = discovery()
        let first = Task { for await _ in await discovery.browse(request) {} }
        let old = await sources.nextBonjour()
        old.appear(row("old"))
        first.cancel()
        await first.value
        while await discovery.browseCount > 0 { await Task.yield() }
        var second = BrowseReader(await discovery.browse(request))
        let browse = await sources.nextBonjour()
        old.appear(row("ghost"))
        browse.appear(row("new"))
        #expect(await next(&second) == "found new")
    }

    @Test func impossibleRequestsFailWithASentenceAndEnd() async throws {
        let discovery = discovery()
        for (request, sentence) in [
            (BrowseRequest(kind: .bonjour, type: "invalid"), "invalid: Invalid service type."),
            (BrowseRequest(kind: .ssdp, type: "a b"), "a b isn't an SSDP search target."),
        ] {
            var reader = BrowseReader(await discovery.browse(request))
            #expect(await reader.next() == BrowseEvent(.failed, message: sentence))
            #expect(await reader.next() == nil)
        }
        #expect(await discovery.browseCount == 0)
    }

    @Test func lateReaderHearsOfAnOutageInsteadOfSettled() async throws {
        let discovery = discovery()
        var first = BrowseReader(await discovery.browse(request))
        let browse = await sources.nextBonjour()
        browse.appear(row("A"))
        #expect(await next(&first) == "found A")
        browse.yield(.settled)
        browse.yield(.waiting(AvahiError(.disconnected)))
        for expected in ["settled", "waiting"] { #expect(await next(&first) == expected) }
        var late = BrowseReader(await discovery.browse(request))
        for expected in ["found A", "waiting"] { #expect(await next(&late) == expected) }
        browse.yield(.ready)
        #expect(await next(&late) == "ready")
    }

    @Test func ssdpItemsCarryHeadersLocationAndAddresses() async throws {
        let discovery = discovery()
        var reader = BrowseReader(
            await discovery.browse(BrowseRequest(kind: .ssdp, type: "upnp:rootdevice")))
        let item = SSDPItem(
            usn: "uuid:a::upnp:rootdevice", udn: "uuid:a", target: "upnp:rootdevice",
            location: "http://10.0.0.5:8080/d.xml", addresses: ["10.0.0.5", "fe80::5%eth0"], interfaces: ["eth0"],
            bootID: 1, configID: nil, headers: ["SERVER": "x"])
        await sources.nextSSDP().yield(.change(.found(item)))
        let expected = BrowseItem(
            name: "uuid:a::upnp:rootdevice", type: "upnp:rootdevice", domain: "", interfaces: ["eth0"],
            addresses: ["10.0.0.5", "fe80::5%eth0"], host: "10.0.0.5", port: 8080, txt: ["SERVER": Data("x".utf8)],
            location: "http://10.0.0.5:8080/d.xml")
        #expect(await reader.next() == BrowseEvent(.found, item: expected))
    }

    /// Real time, as the tries are performed: a device in use is lost within seconds, and found again.
    @Test func aDeviceInUseIsLookedAfter() async throws {
        let discovery = discovery()
        prober.fallSilent()
        var signs = await discovery.watch(["10.0.0.7:6600", "http://10.0.0.7:6600/d.xml"], isInUse: true)
            .makeAsyncIterator()
        #expect(await signs.next() == false)
        #expect(prober.asked.withLock { Set($0.map(\.address)) } == ["10.0.0.7"])
    }

    /// Real time, as the tries are performed: half a second, long before it is lost.
    @Test func whatLeavesATryUnansweredIsTold() async throws {
        let discovery = discovery()
        prober.fallSilent()
        var doubts = await discovery.doubts().makeAsyncIterator()
        let signs = await discovery.watch(["10.0.0.7:6600", "[fe80::1%lo]:6600"], isInUse: true)
        #expect(await doubts.next().map(Set.init) == ["10.0.0.7:6600", "[fe80::1%lo]:6600"])
        withExtendedLifetime(signs) {}
    }

    @Test func aWatchThatEndsLeavesNothingToWakeFor() async throws {
        let discovery = discovery()
        let task = Task { for await _ in await discovery.watch(["10.0.0.7:6600"], isInUse: true) {} }
        while await discovery.isIdle { await Task.yield() }
        task.cancel()
        await task.value
        while await !discovery.isIdle { await Task.yield() }
        #expect(await discovery.hasAlarm == false)
    }

    @Test func endpointsWithoutAnAddressAreNotWatched() async throws {
        let discovery = discovery()
        let stream = await discovery.watch(["Room._mpd._tcp.local.", "[fe80::1%nowhere]"], isInUse: true)
        #expect(await discovery.isIdle)
        withExtendedLifetime(stream) {}
    }

    @Test func whatAnswersIsConfirmed() async throws {
        let discovery = discovery()
        #expect(await discovery.confirm(["Room._mpd._tcp.local."]) == nil, "there is nothing to ask")
        #expect(await discovery.confirm(["10.0.0.7:6600"]) == true)
        #expect(prober.asked.withLock { $0.map(\.address) } == ["10.0.0.7"])
        #expect(await discovery.isIdle)
    }

    /// Real time, as the tries are performed.
    @Test func whatDoesNotAnswerWithinASecondIsNot() async throws {
        let discovery = discovery()
        prober.fallSilent()
        let began = ContinuousClock.now
        #expect(await discovery.confirm(["10.0.0.7:6600"]) == false)
        #expect(began.duration(to: .now) > .milliseconds(500), "a lost packet is no verdict")
        #expect(prober.asked.withLock { $0.count } == 4)
    }
}

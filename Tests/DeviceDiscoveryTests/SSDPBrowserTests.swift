import DeviceDiscovery
import Dispatch
import HostInterface
import Testing

@Suite(.timeLimit(.minutes(1))) struct SSDPBrowserTests {
    static let target = "urn:schemas-upnp-org:device:MediaRenderer:1"
    static let item = BrowseItem(
        name: "uuid:1::" + target, type: target, domain: "", interfaces: ["lo"], addresses: ["10.0.0.7", "nonsense"],
        txt: ["server": Data("Linux".utf8), "X": Data([0x41, 0xFF])], location: "http://10.0.0.7:49152/d.xml")

    let source = ScriptedSource()
    let slot = DiscoverySourceSlot()
    let queue = DispatchQueue(label: "SSDPBrowserTests")

    private func start(
        _ target: String = target
    ) -> (SSDPBrowser, states: AsyncStream<SSDPBrowser.State>, changes: AsyncStream<Set<SSDPBrowser.Result.Change>>) {
        slot.install(source)
        let browser = SSDPBrowser(searchTarget: target, using: .udp, slot: slot)
        let (states, stateContinuation) = AsyncStream<SSDPBrowser.State>.makeStream()
        let (changes, changeContinuation) = AsyncStream<Set<SSDPBrowser.Result.Change>>.makeStream()
        browser.stateUpdateHandler = { stateContinuation.yield($0) }
        browser.browseResultsChangedHandler = { changeContinuation.yield($1) }
        browser.start(queue: queue)
        return (browser, states, changes)
    }

    @Test func devicesComeChangeAndGo() async throws {
        let (browser, _, changes) = start()
        #expect(await source.requests.first() == BrowseRequest(kind: .ssdp, type: Self.target, includesTXT: true))
        source.send(.found, Self.item)
        guard case .added(let result)? = try #require(await changes.first()).first else {
            Issue.record("no device")
            return
        }
        #expect(result.usn == Self.item.name && result.searchTarget == Self.target)
        #expect(result.location?.port == 49_152 && result.headers == ["SERVER": "Linux", "X": "A\u{FFFD}"])
        #expect(result.addresses == [.init("10.0.0.7")] && result.interfaces.map(\.name) == ["lo"])
        var moved = Self.item
        moved.location = "not a url"
        source.send(.changed, moved)
        guard case .changed(result, let new)? = try #require(await changes.first()).first else {
            Issue.record("no change")
            return
        }
        #expect(new.location == nil)
        source.send(.lost, moved)
        #expect(await changes.first() == [.removed(new)] && browser.browseResults.isEmpty)
    }

    @Test(arguments: ["", "upnp all", "a\r\nHOST: x", String(repeating: "x", count: 257), "ä"])
    func aTargetThatIsNoneFailsAtOnce(target: String) async {
        let (browser, states, _) = start(target)
        #expect(await states.first() == .failed(.dns(DNSServiceErrorType(kDNSServiceErr_BadParam))))
        #expect(browser.stateMessage != nil)
    }

    @Test func aDeviceThatComesAndGoesAtOnceIsNotTold() async {
        let (browser, _, changes) = start()
        _ = await source.requests.first()
        let gate = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        source.send(.found, Self.item)
        source.send(.lost, Self.item)
        var other = Self.item
        other.name = "uuid:2"
        source.send(.found, other)
        source.send(.ready)
        while browser.state != .ready { await Task.yield() }
        gate.signal()
        #expect(await changes.first()?.count == 1)
    }

    @Test func errorsSayWhatIsWrong() {
        #expect(
            NWError.dns(DNSServiceErrorType(kDNSServiceErr_PolicyDenied)).errorDescription?.contains("may not") == true)
        #expect(NWError.posix(.ENETDOWN).debugDescription.hasPrefix("posix 100: "))
        #expect(NWError.dns(1).errorDescription == "Discovery failed with error 1.")
    }
}

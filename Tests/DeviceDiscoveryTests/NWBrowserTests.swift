import DeviceDiscovery
import Dispatch
import HostInterface
import Testing

@Suite(.timeLimit(.minutes(1))) struct NWBrowserTests {
    typealias Changes = Set<NWBrowser.Result.Change>

    let source = ScriptedSource()
    let slot = DiscoverySourceSlot()
    let browser: NWBrowser
    let states: AsyncStream<NWBrowser.State>
    let changes: AsyncStream<Changes>
    let queue = DispatchQueue(label: "NWBrowserTests")

    init() {
        self.init(.bonjourWithTXTRecord(type: "_mpd._tcp", domain: nil))
    }

    init(_ descriptor: NWBrowser.Descriptor, parameters: NWParameters = .tcp) {
        browser = NWBrowser(for: descriptor, using: parameters, slot: slot)
        let (states, stateContinuation) = AsyncStream<NWBrowser.State>.makeStream()
        let (changes, changeContinuation) = AsyncStream<Changes>.makeStream()
        (self.states, self.changes) = (states, changes)
        browser.stateUpdateHandler = { stateContinuation.yield($0) }
        browser.browseResultsChangedHandler = { changeContinuation.yield($1) }
    }

    private func started() async -> BrowseRequest? {
        slot.install(source)
        browser.start(queue: queue)
        return await source.requests.first()
    }

    static let item = BrowseItem(
        name: "Living Room", type: "_mpd._tcp", domain: "local", interfaces: ["lo"],
        addresses: ["10.0.0.5", "fe80::1%lo"], host: "room.local", port: 6_600, txt: ["v": Data("1".utf8)])

    @Test func theHostIsAskedForTheDescriptor() async {
        #expect(await started() == BrowseRequest(kind: .bonjour, type: "_mpd._tcp", domain: nil, includesTXT: true))
        let named = NWBrowserTests(.bonjour(type: "_http._tcp.", domain: "example.org"))
        #expect(
            await named.started()
                == BrowseRequest(kind: .bonjour, type: "_http._tcp", domain: "example.org", includesTXT: false))
    }

    @Test func servicesComeChangeAndGo() async throws {
        _ = await started()
        source.send(.ready)
        #expect(await states.first() == .ready)
        source.send(.found, Self.item)
        let added = try #require(await changes.first())
        guard case .added(let result)? = added.first else {
            Issue.record("\(added)")
            return
        }
        #expect(
            result.endpoint
                == .service(
                    name: "Living Room", type: "_mpd._tcp", domain: "local.", interface: NWInterface(name: "lo")))
        #expect(result.metadata == .bonjour(NWTXTRecord(["v": "1"])) && result.interfaces.map(\.name) == ["lo"])
        #expect(result.resolvedEndpoints.map(\.debugDescription) == ["10.0.0.5:6600", "[fe80::1%lo]:6600"])
        #expect(result.hostName == "room.local")
        #expect(browser.browseResults == [result])

        var other = Self.item
        other.txt = ["v": Data("2".utf8)]
        other.addresses = ["10.0.0.6"]
        other.interfaces = ["lo", "other0"]
        source.send(.changed, other)
        let changed = try #require(await changes.first())
        guard case .changed(result, let new, let flags)? = changed.first else {
            Issue.record("\(changed)")
            return
        }
        #expect(flags == [.metadataChanged, .addressesChanged, .interfaceAdded])
        source.send(.lost, other)
        #expect(await changes.first() == [.removed(new)])
        #expect(browser.browseResults.isEmpty)
    }

    @Test func changesGatherWhileTheQueueIsBusy() async throws {
        _ = await started()
        let gate = DispatchSemaphore(value: 0)
        queue.async { gate.wait() }
        var last = Self.item
        for number in 0..<100 {
            var item = Self.item
            item.name = "Device \(number)"
            source.send(.found, item)
            last.name = item.name
        }
        source.send(.lost, last)
        // The state follows everything above through the same stream, so all of it has been taken in by then.
        source.send(.ready)
        while browser.state != .ready { await Task.yield() }
        gate.signal()
        let told = try #require(await changes.first())
        #expect(told.count == 99 && browser.browseResults.count == 99)
    }

    @Test func malformedEventsChangeNothing() async throws {
        _ = await started()
        source.send(.found)
        source.send(.changed)
        source.send(.lost)
        source.send(.lost, Self.item)
        source.send(.settled)
        source.send(.found, BrowseItem(name: "", type: "", domain: ""))
        let odd = BrowseItem(
            name: "Odd", type: "_mpd._tcp", domain: "", interfaces: ["", "a/b", "waytoolonginterfacename"],
            addresses: ["", "garbage", "1.2.3.4.5", "::1%", "fe80::1", "10.0.0.9"], port: 70_000,
            txt: ["": Data(), "a=b": Data(), "big": Data(count: 70_000), "ok": Data([0xFF])], location: "::")
        source.send(.found, odd)
        let told = try #require(await changes.first())
        guard told.count == 1, case .added(let result)? = told.first else {
            Issue.record("\(told)")
            return
        }
        #expect(result.interfaces.isEmpty && result.resolvedEndpoints.isEmpty)
        guard case .bonjour(let record) = result.metadata else {
            Issue.record("\(result.metadata)")
            return
        }
        #expect(record.map(\.key) == ["ok"])
    }

    @Test func theHostsStatesAreTold() async {
        _ = await started()
        source.send(.waiting, message: "Avahi does not run.")
        #expect(await states.first() == .waiting(.dns(DNSServiceErrorType(kDNSServiceErr_ServiceNotRunning))))
        #expect(browser.stateMessage == "Avahi does not run.")
        source.send(.ready)
        #expect(await states.first() == .ready)
        #expect(browser.stateMessage == nil)
        source.send(.failed, message: "No.")
        #expect(await states.first() == .failed(.dns(DNSServiceErrorType(kDNSServiceErr_BadParam))))
        _ = await source.endings.first()
        browser.cancel()
        #expect(browser.stateMessage == "No.")
    }

    @Test func aLostHostIsAFailure() async {
        _ = await started()
        source.finish()
        #expect(await states.first() == .failed(.dns(DNSServiceErrorType(kDNSServiceErr_DefunctConnection))))
    }

    @Test func withoutAHostTheBrowserWaitsAndThenStarts() async {
        browser.start(queue: queue)
        #expect(await states.first() == .waiting(.dns(DNSServiceErrorType(kDNSServiceErr_ServiceNotRunning))))
        #expect(browser.stateMessage?.contains("not connected") == true)
        slot.install(source)
        #expect(await source.requests.first() != nil)
        source.send(.ready)
        #expect(await states.first() == .ready)
    }

    @Test(arguments: ["", "mpd", "_mpd", "_mpd._sctp", "_._tcp", "_a b._tcp", "_mpd._tcp._x", "_mpd._tcp\n", "_ä._tcp"])
    func aTypeThatIsNoneFailsAtOnce(type: String) async {
        let other = NWBrowserTests(.bonjour(type: type, domain: nil))
        other.slot.install(other.source)
        other.browser.start(queue: other.queue)
        #expect(await other.states.first() == .failed(.dns(DNSServiceErrorType(kDNSServiceErr_BadParam))))
        #expect(other.browser.stateMessage?.contains("_http._tcp") == true)
    }

    @Test func cancellingEndsTheSearchAndTheHandlers() async {
        _ = await started()
        browser.cancel()
        browser.cancel()
        #expect(await states.first() == .cancelled)
        _ = await source.endings.first()
        source.send(.found, Self.item)
        browser.start(queue: queue)
        queue.sync {}
        #expect(browser.browseResults.isEmpty && browser.state == .cancelled)
        #expect(browser.stateUpdateHandler == nil && browser.browseResultsChangedHandler == nil)
    }

    @Test func cancellingWhileWaitingForTheHostEndsTheWaiting() async {
        browser.start(queue: queue)
        #expect(await states.first { $0 != .setup } != nil)
        browser.cancel()
        #expect(await states.first() == .cancelled)
    }

    @Test func aBrowserNobodyHoldsEndsItsSearch() async {
        slot.install(source)
        do {
            let short = NWBrowser(for: browser.descriptor, using: .udp, slot: slot)
            short.start(queue: queue)
            _ = await source.requests.first()
        }
        _ = await source.endings.first()
    }

    @Test func parametersChooseInterfaces() async throws {
        let loopback = try #require(NWInterface(name: "lo"))
        let parameters = NWParameters.tcp
        parameters.requiredInterface = loopback
        parameters.includePeerToPeer = true
        #expect(parameters.copy().requiredInterface == loopback && parameters.includePeerToPeer)
        let chosen = NWBrowserTests(.bonjourWithTXTRecord(type: "_mpd._tcp", domain: nil), parameters: parameters)
        _ = await chosen.started()
        var elsewhere = Self.item
        elsewhere.name = "Elsewhere"
        elsewhere.interfaces = ["other0"]
        chosen.source.send(.found, elsewhere)
        var both = Self.item
        both.interfaces = ["lo", "other0"]
        both.addresses = ["fe80::1%other0", "fe80::2%lo"]
        chosen.source.send(.found, both)
        let told = try #require(await chosen.changes.first())
        guard told.count == 1, case .added(let result)? = told.first else {
            Issue.record("\(told)")
            return
        }
        #expect(result.interfaces == [loopback] && result.resolvedEndpoints.map(\.text) == ["[fe80::2%lo]:6600"])

        let prohibited = NWParameters()
        prohibited.prohibitedInterfaceTypes = [.loopback]
        let none = NWBrowserTests(.bonjour(type: "_mpd._tcp", domain: nil), parameters: prohibited)
        _ = await none.started()
        none.source.send(.found, Self.item)
        none.source.send(.found, elsewhere)
        #expect(await none.changes.first()?.count == 1)
    }
}

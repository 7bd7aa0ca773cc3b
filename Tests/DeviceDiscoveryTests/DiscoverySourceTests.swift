import DeviceDiscovery
import HostInterface
import Testing

@Suite(.timeLimit(.minutes(1))) struct DiscoverySourceTests {
    @Test func theProcessHasOneSource() {
        let source = ScriptedSource()
        #expect(DiscoverySources.current == nil)
        DiscoverySources.install(source)
        #expect(DiscoverySources.current as? ScriptedSource === source)
    }

    @Test func manyBrowsersStartWhenTheSourceComes() async {
        let (slot, source) = (DiscoverySourceSlot(), ScriptedSource())
        let browsers = (0..<50).map { number in
            NWBrowser(for: .bonjour(type: "_type\(number)._tcp", domain: nil), using: .tcp, slot: slot)
        }
        for browser in browsers { browser.start(queue: .global()) }
        for browser in browsers.prefix(25) { browser.cancel() }
        slot.install(source)
        var types: Set<String> = []
        for await request in source.requests {
            types.insert(request.type)
            if types.count == 25 { break }
        }
        #expect(types == Set((25..<50).map { "_type\($0)._tcp" }))
    }
}

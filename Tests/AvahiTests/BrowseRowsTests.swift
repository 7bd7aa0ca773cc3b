import Testing

@testable import Avahi

struct BrowseRowsTests {
    private func row(_ name: String, interface: Int32 = 2, family: AvahiFamily = .ipv4) -> AvahiService {
        AvahiService(
            name: name, type: "_mpd._tcp", domain: "local", interfaceIndex: interface, interfaceName: "eth0",
            family: family)
    }

    private func answer(_ address: String) -> AvahiResolution {
        AvahiResolution(host: "hosta.local", address: address, port: 6600, txt: [:])
    }

    @Test func identityIsTheRowAndNotTheInterfacesName() {
        let gone = AvahiService(
            name: "A", type: "_mpd._tcp", domain: "local", interfaceIndex: 2, interfaceName: "2", family: .ipv4)
        #expect(row("A") == gone)
        #expect(Set([row("A"), gone]).count == 1)
        #expect(row("A") != row("A", family: .ipv6))
        #expect(row("A") != row("A", interface: 3))
    }

    @Test func afterARestartOnlyUnconfirmedRowsAreLost() {
        var rows = BrowseRows()
        let isStaysNew = rows.add(row("stays"))
        #expect(isStaysNew)
        let isGoesNew = rows.add(row("goes"))
        #expect(isGoesNew)
        let lostAtFirst = rows.settle()
        #expect(lostAtFirst.isEmpty)
        rows.markStale()
        let isStaysNewAgain = rows.add(row("stays"))
        #expect(!isStaysNewAgain)
        let isOtherNew = rows.add(row("new"))
        #expect(isOtherNew)
        let lostAfterRestart = rows.settle()
        #expect(lostAfterRestart == [row("goes")])
        let lostTwice = rows.settle()
        #expect(lostTwice.isEmpty)
        #expect(Set(rows.services) == [row("stays"), row("new")])
    }

    @Test func onlyDifferentAnswersAreNews() {
        var rows = BrowseRows()
        let isUnknownRowNews = rows.resolve(row("A"), answer("10.0.0.1"))
        #expect(!isUnknownRowNews, "a row nobody reported")
        _ = rows.add(row("A"))
        let isFirstNews = rows.resolve(row("A"), answer("10.0.0.1"))
        #expect(isFirstNews)
        let isSameNews = rows.resolve(row("A"), answer("10.0.0.1"))
        #expect(!isSameNews)
        let isOtherNews = rows.resolve(row("A"), answer("10.0.0.2"))
        #expect(isOtherNews)
        rows.markStale()
        _ = rows.add(row("A"))
        let isSameNewsAfterRestart = rows.resolve(row("A"), answer("10.0.0.2"))
        #expect(!isSameNewsAfterRestart, "the same answer after a restart")
        rows.unresolve(row("A"))
        let isNewsAfterSilence = rows.resolve(row("A"), answer("10.0.0.2"))
        #expect(isNewsAfterSilence, "an answer after silence")
    }

    @Test func removesOnce() {
        var rows = BrowseRows()
        _ = rows.add(row("A"))
        let wasKnown = rows.remove(row("A"))
        #expect(wasKnown)
        let wasStillKnown = rows.remove(row("A"))
        #expect(!wasStillKnown)
    }
}

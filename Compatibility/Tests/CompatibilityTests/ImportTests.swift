import Network
import Testing
import UniformTypeIdentifiers

/// A source with Apple's imports finds the types, and they work.
@Suite struct ImportTests {
    @Test func networkHasTheBrowserAndItsTypes() {
        let browser = NWBrowser(for: .bonjour(type: "_mpd._tcp", domain: nil), using: .tcp)
        #expect(browser.state == .setup)
        #expect(NWEndpoint.hostPort(host: "10.0.0.5", port: 80).debugDescription == "10.0.0.5:80")
        #expect(NWTXTRecord(["a": "1"])["A"] == "1")
    }

    @Test func uniformTypeIdentifiersHasTypes() {
        #expect(UTType(filenameExtension: "mp4") == .mpeg4Movie)
    }
}

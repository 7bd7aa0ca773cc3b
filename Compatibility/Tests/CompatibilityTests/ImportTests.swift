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

    @Test func networkHasConnections() {
        let connection = NWConnection(host: "127.0.0.1", port: 9, using: .tls)
        #expect(connection.state == .setup)
        #expect(connection.parameters.defaultProtocolStack.applicationProtocols.first is NWProtocolTLS.Options)
        #expect(NWPathMonitor().currentPath.localEndpoint == nil)
    }

    @Test func uniformTypeIdentifiersHasTypes() {
        #expect(UTType(filenameExtension: "mp4") == .mpeg4Movie)
    }
}

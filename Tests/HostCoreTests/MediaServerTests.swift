import HostInterface
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1))) struct MediaServerTests {
    @Test(
        arguments: [
            ("https://nas.local/song.mp3", "nas.local:443"), ("NAS.local", "nas.local:443"), ("nas:8443", "nas:8443"),
            ("https://user:x@nas:1/a?b", "nas:1"), ("[fd00::1]", "[fd00::1]:443"),
            ("https://[FD00::1]:8443/", "[fd00::1]:8443"),
            ("http://nas/a", nil), ("file:///a", nil), ("", nil), ("nas:0", nil), ("nas:70000", nil),
        ] as [(String, String?)])
    func names(text: String, name: String?) { #expect(MediaServer(text)?.name == name) }

    @Test func aDecisionIsStoredAndCanBeTakenBack() async throws {
        let world = HostUnderTest(ScriptedRunner(script: { _ in [] }))
        let host = world.host
        let url = "https://nas.local:8443/song.mp3"
        #expect(await host.media(MediaInformation(), at: url).acceptsAnyCertificate == nil)
        #expect(try await host.acceptCertificate(of: "https://NAS.local:8443/other.mp3", true) == "nas.local:8443")
        #expect(await host.media(MediaInformation(title: "A"), at: url).acceptsAnyCertificate == true)
        #expect(try await world.store.certificateExceptions() == ["nas.local:8443"])
        for other in ["https://nas.local/song.mp3", "http://nas.local:8443/song.mp3", "https://b.local:8443/"] {
            #expect(await host.media(MediaInformation(), at: other).acceptsAnyCertificate == nil, "\(other)")
        }
        try await host.acceptCertificate(of: "nas.local:8443", false)
        #expect(await host.media(MediaInformation(), at: url).acceptsAnyCertificate == nil)
        #expect(try await world.store.certificateExceptions().isEmpty)
        for text in ["nas.local:8443", "http://nas.local"] {
            let error = await #expect(throws: HostError.self) { try await host.acceptCertificate(of: text, false) }
            #expect(error?.code == .invalidArgument)
        }
    }
}

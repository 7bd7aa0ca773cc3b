import Foundation
import MediaDecoding
import MediaReading
import Testing

/// Against a real HTTPS server with a self-signed certificate.
@Suite(.timeLimit(.minutes(1))) struct CertificateTests {
    private func frames(_ address: String, _ trust: CertificateTrust) throws -> Int {
        let decoder = try AudioDecoder(address: address, trust: trust)
        var count = 0
        while let samples = try decoder.read() { count += samples.count / 2 }
        return count
    }

    @Test func aSelfSignedServerIsReadOnlyWhereItWasAccepted() throws {
        let server = try SecureServer()
        try server.put(SecureServer.wave, as: "tone.wav")
        #expect(throws: DecodingError.untrusted(server.server)) {
            try frames(server.address("tone.wav"), CertificateTrust())
        }
        #expect(throws: DecodingError.untrusted(server.server)) {
            try frames(server.address("tone.wav"), CertificateTrust(exempt: ["127.0.0.1:443", "nas:443"]))
        }
        #expect(try frames(server.address("tone.wav"), CertificateTrust(exempt: [server.server])) == 44_100)
        // Whom an authority vouches for needs no exception.
        #expect(try frames(server.address("tone.wav"), CertificateTrust(authorities: server.certificate)) == 44_100)
    }

    @Test func aCertificateOfAnotherNameIsNotTrusted() throws {
        let server = try SecureServer(name: "DNS:other.example")
        try server.put(SecureServer.wave, as: "tone.wav")
        #expect(throws: DecodingError.untrusted(server.server)) {
            try frames(server.address("tone.wav"), CertificateTrust(authorities: server.certificate))
        }
    }

    @Test func aServerThatIsNotThereIsNoMatterOfItsCertificate() {
        #expect(throws: DecodingError.unreadable("Connection refused")) {
            try frames("https://127.0.0.1:1/tone.wav", CertificateTrust())
        }
    }

    @Test(
        arguments: [
            ("https://nas.local/a", "nas.local:443"), ("HTTPS://NAS.local:8443", "nas.local:8443"),
            ("https://user:pass@nas:1?x", "nas:1"), ("https://[fd00::1]/a", "[fd00::1]:443"),
            ("https://[fd00::1]:8443/a", "[fd00::1]:8443"), ("http://nas/a", nil), ("https:///a", nil), ("/a", nil),
        ] as [(String, String?)])
    func serversOfAddresses(address: String, server: String?) {
        #expect(CertificateTrust.server(of: address) == server)
    }
}

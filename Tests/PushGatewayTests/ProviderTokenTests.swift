import Crypto
import Foundation
import Testing

@testable import PushGateway

@Suite struct ProviderTokenTests {
    private let key = P256.Signing.PrivateKey()

    private func text(_ issuedAt: Int64 = 1000) throws -> String {
        try ProviderToken.sign(keyIdentifier: "KEY1234567", teamIdentifier: "TEAM123456", issuedAt: issuedAt, with: key)
    }

    @Test func whatIsSignedIsBelievedAndNothingElse() throws {
        let token = try ProviderToken(text())
        #expect(token.keyIdentifier == "KEY1234567" && token.teamIdentifier == "TEAM123456" && token.issuedAt == 1000)
        #expect(token.isSigned(by: key.publicKey))
        #expect(!token.isSigned(by: P256.Signing.PrivateKey().publicKey))
        var parts = try text().split(separator: ".").map(String.init)
        parts[1] = Data("{\"iss\":\"OTHER12345\",\"iat\":1000}".utf8).base64EncodedString().replacing("=", with: "")
        #expect(try !ProviderToken(parts.joined(separator: ".")).isSigned(by: key.publicKey))
    }

    @Test func itHoldsForAnHour() throws {
        let token = try ProviderToken(text())
        try token.checkAge(at: 1000)
        try token.checkAge(at: 4600)
        try token.checkAge(at: 700)
        #expect(throws: PushRejection.expiredProviderToken) { try token.checkAge(at: 4601) }
        #expect(throws: PushRejection.invalidProviderToken) { try token.checkAge(at: 699) }
    }

    @Test func aTimeThatIsTextIsTaken() throws {
        func part(_ text: String) -> String { Data(text.utf8).base64EncodedString().replacing("=", with: "") }
        let signature = Data(repeating: 1, count: 64).base64EncodedString().replacing("=", with: "")
        let text =
            part("{\"alg\":\"ES256\",\"kid\":\"K\"}") + "." + part("{\"iss\":\"T\",\"iat\":\"1000\"}") + "." + signature
        #expect(try ProviderToken(text).issuedAt == 1000)
        #expect(try !ProviderToken(text).isSigned(by: key.publicKey))
    }

    @Test(arguments: [
        "", "a", "a.b", "a.b.c", "..", "e30.e30.e30", String(repeating: "x", count: 5000),
        // alg none, as the oldest trick wants it.
        "eyJhbGciOiJub25lIiwia2lkIjoiSyJ9.eyJpc3MiOiJUIiwiaWF0IjoxMDAwfQ.",
    ])
    func nonsenseIsRefused(_ text: String) {
        #expect(throws: PushRejection.invalidProviderToken) { try ProviderToken(text) }
    }
}

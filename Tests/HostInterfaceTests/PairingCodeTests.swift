import HostInterface
import Testing

@Suite("The shape of a code")
struct PairingCodeTests {
    private func challenge(_ method: PairingChallenge.Method, _ length: Int = 0) -> PairingChallenge {
        PairingChallenge(method: method, length: length, reason: "")
    }

    @Test(
        "what may be one becomes digits alone",
        arguments: [("1234", "1234"), (" 12 34 ", "1234"), ("12-34", "1234"), ("0042", "0042"), ("１２３４", "1234")])
    func digits(_ entry: String, _ code: String) throws {
        #expect(try challenge(.numericCode, 4).code(from: entry) == code)
    }

    @Test(
        "what the device could only refuse is not repeated in the error",
        arguments: ["123", "12345", "12a4", "", "½234"])
    func refused(_ entry: String) throws {
        let error = try #require(throws: HostError.self) { try challenge(.numericCode, 4).code(from: entry) }
        #expect(error == HostError(.invalidArgument, "The code has 4 digits."))
    }

    @Test("a code without a length, a password and a confirmation")
    func others() throws {
        #expect(try challenge(.numericCode).code(from: "12") == "12")
        #expect(throws: HostError.self) { try challenge(.numericCode).code(from: "x") }
        #expect(try challenge(.password).code(from: " open-sesame 1 ") == " open-sesame 1 ")
        #expect(throws: HostError.self) { try challenge(.password).code(from: "") }
        #expect(try challenge(.none).code(from: "yes") == "")
    }

    @Test("what a device asks for")
    func request() {
        #expect(challenge(.numericCode, 6).request(of: "TV") == "TV asks for a 6-digit code.")
        #expect(challenge(.numericCode).request(of: "TV") == "TV asks for a code.")
        #expect(challenge(.password).request(of: "TV") == "TV asks for a password.")
        #expect(challenge(.none).request(of: "TV") == "TV asks for a confirmation.")
    }
}

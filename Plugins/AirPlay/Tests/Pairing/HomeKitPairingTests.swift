import Crypto
import Testing

@testable import AirPlayPairing

/// Compared message by message with the output of independent code for the same keys.
struct HomeKitPairingTests {
    private typealias Recorded = RecordedPairing

    private static func identity() throws -> PairingIdentity {
        PairingIdentity(
            identifier: Recorded.controller, key: try .init(rawRepresentation: [UInt8](0..<32)))
    }

    private static func pairing(code: String = Recorded.code) throws -> HomeKitPairing {
        HomeKitPairing(code: code, identity: try identity(), exponent: Array(0..<32))
    }

    private static let second = TaggedValues([
        (.state, [2]), (.publicKey, Recorded.serverKey), (.salt, Recorded.salt),
    ]).encoded
    private static let fourth = TaggedValues([(.state, [4]), (.proof, Recorded.serverProof)]).encoded
    private static let sixth = TaggedValues([(.state, [6]), (.encryptedData, Recorded.encrypted6)]).encoded

    @Test func theSameMessages() throws {
        var pairing = try Self.pairing()
        #expect(HomeKitPairing.first == [0, 1, 0, 6, 1, 1])
        guard case .send(let third) = try pairing.received(Self.second) else {
            Issue.record("no third message")
            return
        }
        let told = try TaggedValues(third)
        #expect(told[.state] == [3] && told[.publicKey] == Recorded.clientKey && told[.proof] == Recorded.proof)
        guard case .send(let fifth) = try pairing.received(Self.fourth) else {
            Issue.record("no fifth message")
            return
        }
        #expect(try TaggedValues(fifth)[.encryptedData] == Recorded.encrypted5)
        #expect(
            try pairing.received(Self.sixth)
                == .paired(PairedDevice(identifier: Recorded.receiver, publicKey: Recorded.receiverKey)))
        #expect(throws: PairingError.malformed("an answer out of turn")) { _ = try pairing.received(Self.sixth) }
    }

    /// The same exchange without a fifth message; pyatv derives both keys from the same secret.
    @Test func transientPairingEndsWithTheFourthMessage() throws {
        #expect(HomeKitPairing.firstTransient == [0, 1, 0, 6, 1, 1, 0x13, 1, 0x10])
        var pairing = HomeKitPairing.transient(exponent: Array(0..<32))
        guard case .send(let third) = try pairing.received(Self.second) else {
            Issue.record("no third message")
            return
        }
        #expect(try TaggedValues(third)[.proof] == Recorded.proof)
        let keys = ChannelKeys(
            sending: Recorded.bytes("7458ebc48593b985c98a48d62e618f8b5ea63c9285928b3f4d6c2c496da3a517"),
            receiving: Recorded.bytes("73697c500d68ba994738e641031c71b5204e21b1d7e55a3811fdc7830984d2c9"))
        #expect(try pairing.received(Self.fourth) == .transient(keys))
    }

    @Test(
        arguments: [
            (403, nil, false, PairingError.limited), (403, nil, true, .refused), (470, nil, false, .refused),
            (503, "12", false, .backOff(seconds: 12)), (503, nil, true, .backOff(seconds: nil)),
            (500, nil, true, .status(500)),
            (429, "-4", false, .backOff(seconds: 0)),
        ] as [(Int, String?, Bool, PairingError)])
    func aStatusIsTold(status: Int, retryAfter: String?, isProof: Bool, error: PairingError) {
        #expect(PairingError(status: status, retryAfter: retryAfter, isProof: isProof) == error)
        #expect(error.sentence.hasSuffix("."))
    }

    @Test(arguments: [
        ([UInt8]([6, 1, 4, 7, 1, 2]), PairingError.refused), ([6, 1, 2, 7, 1, 3, 8, 1, 30], .backOff(seconds: 30)),
        ([6, 1, 2, 7, 1, 3, 8, 2, 0x2C, 0x01], .backOff(seconds: 300)), ([6, 1, 2, 7, 1, 3], .backOff(seconds: nil)),
        ([6, 1, 2, 7, 1, 4], .noRoom), ([6, 1, 2, 7, 1, 5], .tooManyAttempts), ([6, 1, 2, 7, 1, 7], .busy),
        ([6, 1, 2, 7, 1, 99], .failed(99)),
    ])
    func whatTheDeviceSaysIsTold(answer: [UInt8], error: PairingError) throws {
        var pairing = try Self.pairing()
        #expect(throws: error) { _ = try pairing.received(answer) }
        #expect(error.sentence.hasSuffix("."))
    }

    /// A device that does not know the code cannot answer, and neither can one in between.
    @Test func whoCannotProveItIsNotBelieved() throws {
        var wrong = try Self.pairing(code: "1111")
        _ = try wrong.received(Self.second)
        #expect(throws: PairingError.unproved) { _ = try wrong.received(Self.fourth) }
        var changed = try Self.pairing()
        _ = try changed.received(Self.second)
        _ = try changed.received(Self.fourth)
        var sixth = Self.sixth
        sixth[sixth.count - 1] ^= 1
        #expect(throws: PairingError.unproved) { _ = try changed.received(sixth) }
    }

    @Test func paired() throws {
        let device = PairedDevice(identifier: Recorded.receiver, publicKey: Recorded.receiverKey)
        func verification(of device: PairedDevice) throws -> HomeKitVerification {
            HomeKitVerification(
                of: device, as: try Self.identity(), key: try .init(rawRepresentation: [UInt8](64..<96)))
        }
        let second = TaggedValues([
            (.state, [2]), (.publicKey, Recorded.receiverAgreementKey), (.encryptedData, Recorded.verification2),
        ]).encoded
        var known = try verification(of: device)
        #expect(try TaggedValues(known.first)[.publicKey] == Recorded.agreementKey)
        guard case .send(let third) = try known.received(second) else {
            Issue.record("no third message")
            return
        }
        #expect(try TaggedValues(third)[.encryptedData] == Recorded.verification3)
        #expect(
            try known.received([6, 1, 4])
                == .verified(ChannelKeys(sending: Recorded.sending, receiving: Recorded.receiving)))
        var other = try verification(of: PairedDevice(identifier: Recorded.receiver, publicKey: Recorded.agreementKey))
        #expect(throws: PairingError.unproved) { _ = try other.received(second) }
        var stranger = try verification(of: PairedDevice(identifier: [1], publicKey: Recorded.receiverKey))
        #expect(throws: PairingError.unproved) { _ = try stranger.received(second) }
        var forgotten = try verification(of: device)
        _ = try forgotten.received(second)
        #expect(throws: PairingError.refused) { _ = try forgotten.received([6, 1, 4, 7, 1, 2]) }
    }
}

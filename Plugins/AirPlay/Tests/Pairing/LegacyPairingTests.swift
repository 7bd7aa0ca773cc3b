import Crypto
import Foundation
import Testing

@testable import AirPlayPairing

/// Compared message by message with a recorded exchange between pyatv and an Apple TV.
struct LegacyPairingTests {
    private typealias Recorded = RecordedLegacyPairing

    private static func identity(deviceKey: [UInt8]? = nil) throws -> LegacyIdentity {
        LegacyIdentity(
            identifier: Recorded.identifier, key: try .init(rawRepresentation: Recorded.seed), deviceKey: deviceKey)
    }

    private static func message(_ values: [String: [UInt8]]) throws -> [UInt8] {
        try PairingPropertyList.encoded(values.mapValues { Data($0) })
    }

    private static func pairing(code: String = Recorded.code) throws -> LegacyPairing {
        LegacyPairing(code: code, identity: try identity(), exponent: Recorded.seed)
    }

    @Test func theSameMessages() throws {
        var pairing = try Self.pairing()
        let first = try PropertyListSerialization.propertyList(from: Data(try pairing.first), format: nil)
        #expect(first as? [String: String] == ["method": "pin", "user": Recorded.identifier])
        #expect(!pairing.isProving)
        guard
            case .send(let second) = try pairing.received(
                try Self.message(["pk": Recorded.serverKey, "salt": Recorded.salt]))
        else {
            Issue.record("no second message")
            return
        }
        let proof = try PairingPropertyList(second)
        #expect(proof["pk"] == Recorded.clientKey && proof["proof"] == Recorded.proof)
        #expect(pairing.isProving)
        guard case .send(let third) = try pairing.received(try Self.message(["proof": Recorded.serverProof])) else {
            Issue.record("no third message")
            return
        }
        let key = try PairingPropertyList(third)
        #expect(key["epk"] == Recorded.sealedKey && key["authTag"] == Recorded.tag)
        let last = try Self.message(["epk": Recorded.deviceSealedKey, "authTag": Recorded.deviceTag])
        #expect(try pairing.received(last) == .paired(deviceKey: Recorded.deviceKey))
        #expect(throws: PairingError.malformed("an answer out of turn")) { _ = try pairing.received(last) }
    }

    @Test func whoDoesNotKnowTheCodeIsNotBelieved() throws {
        var pairing = try Self.pairing(code: "2272")
        _ = try pairing.received(try Self.message(["pk": Recorded.serverKey, "salt": Recorded.salt]))
        #expect(throws: PairingError.unproved) {
            _ = try pairing.received(try Self.message(["proof": Recorded.serverProof]))
        }
    }

    @Test func aDeviceMayKeepItsKeyToItself() throws {
        var pairing = try Self.pairing()
        _ = try pairing.received(try Self.message(["pk": Recorded.serverKey, "salt": Recorded.salt]))
        _ = try pairing.received(try Self.message(["proof": Recorded.serverProof]))
        #expect(try pairing.received([]) == .paired(deviceKey: nil))
    }

    @Test(
        arguments: [[], Array("nonsense".utf8), Array("<plist/>".utf8), [UInt8](repeating: 0, count: 20_000)]
            as [[UInt8]])
    func whatIsNoPropertyListIsAnError(answer: [UInt8]) throws {
        var pairing = try Self.pairing()
        #expect(throws: PairingError.self) { _ = try pairing.received(answer) }
    }

    @Test func verifies() throws {
        func verification(deviceKey: [UInt8]?) throws -> LegacyVerification {
            LegacyVerification(
                as: try Self.identity(deviceKey: deviceKey), key: try .init(rawRepresentation: Recorded.seed))
        }
        let known = try verification(deviceKey: Recorded.deviceKey)
        #expect(known.first == Recorded.verification1)
        #expect(try known.received(Recorded.verification2) == Recorded.verification3)
        #expect(try verification(deviceKey: nil).received(Recorded.verification2) == Recorded.verification3)
        let another = try verification(deviceKey: Recorded.seed)
        #expect(throws: PairingError.unproved) { _ = try another.received(Recorded.verification2) }
        #expect(throws: PairingError.self) { _ = try known.received([1, 2, 3]) }
        #expect(throws: PairingError.refused, "as UxPlay answers a stranger") { _ = try known.received([]) }
    }

    @Test func whatIsKeptIsTheSameAgain() throws {
        let identity = LegacyIdentity.random()
        #expect(identity.identifier.count == 16)
        guard case .legacy(let again)? = ReceiverSecret(ReceiverSecret.legacy(identity).data) else {
            Issue.record("another secret")
            return
        }
        #expect(again.identifier == identity.identifier && again.publicKey == identity.publicKey)
        let own = PairingIdentity.random()
        let device = PairedDevice(identifier: RecordedPairing.receiver, publicKey: RecordedPairing.receiverKey)
        guard case .homeKit(let kept, let known)? = ReceiverSecret(ReceiverSecret.homeKit(own, device).data) else {
            Issue.record("another secret")
            return
        }
        #expect(known == device)
        #expect(kept.identifier == own.identifier && kept.publicKey == own.publicKey)
        #expect(ReceiverSecret(Data("sesame".utf8))?.password == "sesame")
        #expect(ReceiverSecret(Data([0xFF, 0xFE])) == nil)
        #expect("\(ReceiverSecret.password("sesame"))" == "a password")
    }
}

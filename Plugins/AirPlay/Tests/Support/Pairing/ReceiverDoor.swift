import AirPlayProtocol
import Crypto
import Foundation
import Synchronization

@testable import AirPlayPairing

/// The receiver's side of pairing, built on the specification: the known senders, and the code it shows.
final class ReceiverDoor: Sendable {
    struct State: Sendable {
        /// Keys of those it is paired with.
        var known: [[UInt8]: [UInt8]] = [:]
        /// Codes it has shown.
        var codesShown = 0
        var isCodeShown = false
        var wrongCodes = 0
        var verifications = 0
    }

    enum Kind: Sendable { case homeKit, legacy }

    let kind: Kind
    let code: String
    let identifier = Array("AA:BB:CC:DD:EE:FF".utf8)
    let key = Curve25519.Signing.PrivateKey()
    let state = Mutex(State())
    /// The answer to every pairing request.
    let startAnswer: (status: Int, body: [UInt8])?

    init(_ kind: Kind, code: String = "0471", startAnswer: (status: Int, body: [UInt8])? = nil) {
        self.kind = kind
        self.code = code
        self.startAnswer = startAnswer
    }

    var now: State { state.withLock { $0 } }

    /// Resets the receiver: it forgets all senders.
    func forgetEverybody() { state.withLock { $0.known = [:] } }
}

/// One connection at the door.
struct DoorGuest {
    struct Answer {
        var status = 200
        var body: [UInt8] = []
        /// The keys once the following bytes are encrypted.
        var keys: ChannelKeys?
    }

    private let door: ReceiverDoor
    private var setup: PasswordServer?
    private var secret: [UInt8] = []
    private var theirKey: [UInt8] = []
    private var ownKey = Curve25519.KeyAgreement.PrivateKey()
    private var stage = 0
    private(set) var isLetIn = false
    private var showsCode = false
    private var user = ""
    private var legacySigner: [UInt8] = []
    /// Has given the code on this connection, and has to prove its key on it.
    private var newcomer: [UInt8]?

    init(_ door: ReceiverDoor) { self.door = door }

    /// The connection ended.
    mutating func left() { if showsCode { door.state.withLock { $0.isCodeShown = false } } }

    /// - Returns: `nil` for a request that isn't about pairing.
    mutating func answer(_ request: RTSPRequest) -> Answer? {
        switch request.uri {
        case "/pair-pin-start":
            if let answer = door.startAnswer, answer.body.isEmpty { return Answer(status: answer.status) }
            showsCode = true
            door.state.withLock {
                $0.codesShown += 1
                $0.isCodeShown = true
            }
            return Answer()
        case "/pair-setup": return (try? setUp(request)) ?? Answer(status: 400)
        case "/pair-setup-pin": return (try? setUpLegacy(request)) ?? Answer(status: 400)
        case "/pair-verify":
            return (try? door.kind == .homeKit ? verify(request) : verifyLegacy(request)) ?? Answer(status: 470)
        default: return nil
        }
    }

    // MARK: HomeKit

    private mutating func setUp(_ request: RTSPRequest) throws -> Answer {
        let values = try TaggedValues(request.body)
        switch values[.state] {
        case [1]:
            if let answer = door.startAnswer { return Answer(status: answer.status, body: answer.body) }
            let isTransient = values[.flags] == [0x10]
            guard request.headers["X-Apple-HKP"] == (isTransient ? "4" : "3") else { return Answer(status: 501) }
            stage = isTransient ? 1 : 0
            let server = PasswordServer(user: "Pair-Setup", password: isTransient ? "3939" : door.code)
            setup = server
            return Answer(
                body: TaggedValues([(.state, [2]), (.salt, server.salt), (.publicKey, server.publicKey(.homeKit))])
                    .encoded)
        case [3]:
            guard let setup,
                let session = setup.session(
                    .homeKit, client: values[.publicKey] ?? [], proof: values[.proof] ?? [])
            else {
                door.state.withLock { $0.wrongCodes += 1 }
                return Answer(body: TaggedValues([(.state, [4]), (.error, [2])]).encoded)
            }
            secret = session.key
            let body = TaggedValues([(.state, [4]), (.proof, session.proof)]).encoded
            return Answer(body: body, keys: stage == 1 ? ChannelKeys(secret: secret).reversed : nil)
        default: return Answer(body: try exchange(values))
        }
    }

    private mutating func exchange(_ values: TaggedValues) throws -> [UInt8] {
        let cipher = PairingCipher.key(secret, salt: "Pair-Setup-Encrypt-Salt", info: "Pair-Setup-Encrypt-Info")
        let told = try TaggedValues(try PairingCipher.open(values[.encryptedData] ?? [], "PS-Msg05", key: cipher))
        let theirs = PairedDevice(identifier: told[.identifier] ?? [], publicKey: told[.publicKey] ?? [])
        let signed = PairingCipher.key(
            secret, salt: "Pair-Setup-Controller-Sign-Salt", info: "Pair-Setup-Controller-Sign-Info")
        try theirs.verify(told[.signature] ?? [], signed.bytes, theirs.identifier, theirs.publicKey)
        door.state.withLock {
            $0.known[theirs.identifier] = theirs.publicKey
            $0.isCodeShown = false
        }
        let own = PairingCipher.key(
            secret, salt: "Pair-Setup-Accessory-Sign-Salt", info: "Pair-Setup-Accessory-Sign-Info")
        let publicKey = Array(door.key.publicKey.rawRepresentation)
        let signature = try door.key.signature(for: Data(own.bytes + door.identifier + publicKey))
        let answer = TaggedValues([
            (.identifier, door.identifier), (.publicKey, publicKey), (.signature, Array(signature)),
        ])
        return TaggedValues([
            (.state, [6]), (.encryptedData, try PairingCipher.seal(answer.encoded, "PS-Msg06", key: cipher)),
        ]).encoded
    }

    private mutating func verify(_ request: RTSPRequest) throws -> Answer {
        let values = try TaggedValues(request.body)
        let own = Array(ownKey.publicKey.rawRepresentation)
        if values[.state] == [1] {
            theirKey = values[.publicKey] ?? []
            secret = try agreed()
            let signature = try door.key.signature(for: Data(own + door.identifier + theirKey))
            let told = TaggedValues([(.identifier, door.identifier), (.signature, Array(signature))])
            return Answer(
                body: TaggedValues([
                    (.state, [2]), (.publicKey, own),
                    (.encryptedData, try PairingCipher.seal(told.encoded, "PV-Msg02", key: verificationKey)),
                ]).encoded)
        }
        let told = try TaggedValues(
            try PairingCipher.open(values[.encryptedData] ?? [], "PV-Msg03", key: verificationKey))
        let identifier = told[.identifier] ?? []
        guard let publicKey = door.now.known[identifier] else {
            return Answer(body: TaggedValues([(.state, [4]), (.error, [2])]).encoded)
        }
        try PairedDevice(identifier: identifier, publicKey: publicKey)
            .verify(told[.signature] ?? [], theirKey, identifier, own)
        letIn()
        return Answer(body: TaggedValues([(.state, [4])]).encoded, keys: ChannelKeys(secret: secret).reversed)
    }

    private var verificationKey: SymmetricKey {
        PairingCipher.key(secret, salt: "Pair-Verify-Encrypt-Salt", info: "Pair-Verify-Encrypt-Info")
    }

    private func agreed() throws -> [UInt8] {
        let theirs = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: theirKey)
        return try ownKey.sharedSecretFromKeyAgreement(with: theirs).withUnsafeBytes { Array($0) }
    }

    private mutating func letIn() {
        isLetIn = true
        door.state.withLock { $0.verifications += 1 }
    }

    // MARK: The older pairing

    private mutating func setUpLegacy(_ request: RTSPRequest) throws -> Answer {
        let list = try PropertyListSerialization.propertyList(from: Data(request.body), format: nil)
        let values = try PairingPropertyList(request.body)
        if let user = (list as? [String: Any])?["user"] as? String {
            self.user = user
            let server = PasswordServer(user: user, password: door.code)
            setup = server
            return Answer(
                body: try PairingPropertyList.encoded([
                    "pk": Data(server.publicKey(.legacy)), "salt": Data(server.salt),
                ]))
        }
        if let proof = values["proof"] {
            guard let setup, let session = setup.session(.legacy, client: values["pk"] ?? [], proof: proof) else {
                door.state.withLock { $0.wrongCodes += 1 }
                return Answer(status: 470)
            }
            secret = session.key
            return Answer(body: try PairingPropertyList.encoded(["proof": Data(session.proof)]))
        }
        let cipher = SymmetricKey(data: LegacyCipher.bytes("Pair-Setup-AES-Key", secret))
        var nonce = LegacyCipher.bytes("Pair-Setup-AES-IV", secret)
        nonce[15] &+= 1
        let box = try AES.GCM.SealedBox(
            nonce: try .init(data: nonce), ciphertext: values["epk"] ?? [], tag: values["authTag"] ?? [])
        newcomer = Array(try AES.GCM.open(box, using: cipher))
        nonce[15] &+= 1
        let own = try AES.GCM.seal(
            door.key.publicKey.rawRepresentation, using: cipher, nonce: try .init(data: nonce))
        return Answer(body: try PairingPropertyList.encoded(["epk": own.ciphertext, "authTag": own.tag]))
    }

    private mutating func verifyLegacy(_ request: RTSPRequest) throws -> Answer {
        let own = Array(ownKey.publicKey.rawRepresentation)
        if request.body.first == 1 {
            theirKey = Array(request.body[4..<36])
            legacySigner = Array(request.body[36..<68])
            // As UxPlay 1.74 does: no error, but no way to continue either.
            guard legacySigner == newcomer || door.now.known.values.contains(legacySigner) else { return Answer() }
            secret = try agreed()
            let signature = Array(try door.key.signature(for: Data(own + theirKey)))
            return Answer(body: own + (try LegacyVerification.stream(secret, count: 64, signature)))
        }
        let sealed = [UInt8](repeating: 0, count: 64) + request.body.dropFirst(4)
        let signature = Array(try LegacyVerification.stream(secret, count: 128, sealed).suffix(64))
        try PairedDevice(identifier: [], publicKey: legacySigner).verify(signature, theirKey, own)
        if let newcomer {
            door.state.withLock {
                $0.known[Array(user.utf8)] = newcomer
                $0.isCodeShown = false
            }
        }
        newcomer = nil
        letIn()
        return Answer()
    }
}

extension LegacyVerification {
    /// Encrypts, or decrypts.
    fileprivate static func stream(_ secret: [UInt8], count: Int, _ bytes: [UInt8]) throws -> [UInt8] {
        zip(bytes, try stream(secret, count: count)).map { $0 ^ $1 }
    }
}

/// The side of ``SecureRemotePassword`` that asks for the password.
struct PasswordServer: Sendable {
    let user: String
    let password: String
    let salt = (0..<16).map { _ in UInt8.random(in: 1 ... .max) }
    private let exponent = LargeNumber(bytes: ((0..<32).map { _ in UInt8.random(in: 1 ... .max) }))

    func publicKey<Hash>(_ scheme: SecureRemotePassword<Hash>) -> [UInt8] {
        let verifier = LargeNumber(bytes: (scheme.verifier(user: user, password: password, salt: salt)))
        let blinded = scheme.power(scheme.generator, exponent)
        return scheme.padded((scheme.multiplier * verifier + blinded) % scheme.modulus)
    }

    /// - Returns: `nil` for another password's proof.
    func session<Hash>(
        _ scheme: SecureRemotePassword<Hash>, client: [UInt8], proof: [UInt8]
    ) -> (key: [UInt8], proof: [UInt8])? {
        let verifier = LargeNumber(bytes: (scheme.verifier(user: user, password: password, salt: salt)))
        let server = publicKey(scheme)
        let theirs = LargeNumber(bytes: (client))
        guard theirs % scheme.modulus != 0 else { return nil }
        let scrambler = scheme.scrambler(theirs, LargeNumber(bytes: (server)))
        let base = theirs * scheme.power(verifier, scrambler) % scheme.modulus
        let key = scheme.key(secret: scheme.power(base, exponent))
        let expected = scheme.clientProof(user: user, salt: salt, client: client, server: server, key: key)
        guard proof == expected else { return nil }
        return (key, scheme.serverProof(client: client, proof: proof, key: key))
    }
}

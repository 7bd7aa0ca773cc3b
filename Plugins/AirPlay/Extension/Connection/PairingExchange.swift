import AirPlayPairing
import AirPlayProtocol
import Foundation

/// The messages of pairing and verification over a connection.
struct PairingExchange: Sendable {
    /// The receiver's answer to the request to show its code, with which pairing continues.
    enum Begun: Sendable {
        case homeKit([UInt8])
        case legacy
    }

    private static let data = "application/octet-stream"
    private static let propertyList = "application/x-apple-binary-plist"

    private let connection: RTSPConnection

    init(_ connection: RTSPConnection) { self.connection = connection }

    // MARK: Pairing

    /// Requests the receiver to show a code.
    func begin(isLegacy: Bool) async throws(PairingFailure) -> Begun {
        _ = try await ask("/pair-pin-start", [], version: isLegacy ? nil : "3", contentType: nil)
        guard !isLegacy else { return .legacy }
        let answer = try await ask("/pair-setup", HomeKitPairing.first, version: "3")
        // Report an error of the receiver at once, not after the person has entered a code.
        _ = try Self.paired { () throws(PairingError) in
            if let error = PairingError(try TaggedValues(answer)) { throw error }
        }
        return .homeKit(answer)
    }

    /// Proves that the code is known.
    func finish(_ begun: Begun, code: String) async throws(PairingFailure) -> ReceiverSecret {
        switch begun {
        case .homeKit(let answer):
            let identity = PairingIdentity.random()
            var pairing = HomeKitPairing(code: code, identity: identity, exponent: Self.exponent())
            var step = try Self.paired { () throws(PairingError) in try pairing.received(answer) }
            var isProof = true
            while case .send(let message) = step {
                let answer = try await ask("/pair-setup", message, version: "3", isProof: isProof)
                isProof = false
                step = try Self.paired { () throws(PairingError) in try pairing.received(answer) }
            }
            guard case .paired(let device) = step else { throw .pairing(.malformed("no pairing")) }
            return .homeKit(identity, device)
        case .legacy:
            var identity = LegacyIdentity.random()
            var pairing = LegacyPairing(code: code, identity: identity, exponent: Self.exponent())
            var message = try Self.paired { () throws(PairingError) in try pairing.first }
            while true {
                let answer = try await ask(
                    "/pair-setup-pin", message, version: nil, contentType: Self.propertyList,
                    isProof: pairing.isProving)
                switch try Self.paired({ () throws(PairingError) in try pairing.received(answer) }) {
                case .send(let next): message = next
                case .paired(let deviceKey):
                    identity.deviceKey = deviceKey
                    // UxPlay keeps the pairing only once it is verified on the same connection, as Apple's senders do.
                    try await verify(as: identity)
                    return .legacy(identity)
                }
            }
        }
    }

    /// Pairs for this connection only, with a publicly known code.
    func pairForNow() async throws(PairingFailure) -> ChannelKeys {
        var pairing = HomeKitPairing.transient(exponent: Self.exponent())
        var message = HomeKitPairing.firstTransient
        while true {
            let answer = try await ask("/pair-setup", message, version: "4")
            switch try Self.paired({ () throws(PairingError) in try pairing.received(answer) }) {
            case .send(let next): message = next
            case .transient(let keys): return keys
            case .paired: throw .pairing(.malformed("a pairing out of turn"))
            }
        }
    }

    // MARK: Verification

    func verify(_ device: PairedDevice, as identity: PairingIdentity) async throws(PairingFailure) -> ChannelKeys {
        var verification = HomeKitVerification(of: device, as: identity)
        var message = verification.first
        while true {
            let answer = try await ask("/pair-verify", message, version: "3")
            switch try Self.paired({ () throws(PairingError) in try verification.received(answer) }) {
            case .send(let next): message = next
            case .verified(let keys): return keys
            }
        }
    }

    func verify(as identity: LegacyIdentity) async throws(PairingFailure) {
        let verification = LegacyVerification(as: identity)
        let answer = try await ask("/pair-verify", verification.first, version: nil)
        let second = try Self.paired { () throws(PairingError) in try verification.received(answer) }
        _ = try await ask("/pair-verify", second, version: nil)
    }

    // MARK: Messages

    /// Sends a pairing message.
    ///
    /// - Parameters:
    ///   - version: The version of HomeKit pairing, 4 for the transient one; `nil` for the older pairing.
    ///   - isProof: `true` if only a wrong code can cause a refusal.
    private func ask(
        _ path: String, _ body: [UInt8], version: String?, contentType: String? = Self.data, isProof: Bool = false
    ) async throws(PairingFailure) -> [UInt8] {
        var headers: RTSPHeaders = [:]
        if let contentType { headers["Content-Type"] = contentType }
        if let version { headers["X-Apple-HKP"] = version }
        let response: RTSPResponse
        do throws(AirPlayError) {
            response = try await connection.perform(RTSPRequest("POST", path, headers: headers, body: body))
        } catch {
            throw .connection(error)
        }
        let error = PairingError(
            status: response.status, retryAfter: response.headers["Retry-After"], isProof: isProof)
        // Some put the reason into a message all the same.
        if let error { throw .pairing((try? TaggedValues(response.body)).flatMap(PairingError.init) ?? error) }
        return response.body
    }

    private static func paired<Value>(
        _ work: () throws(PairingError) -> Value
    ) throws(PairingFailure) -> Value {
        do {
            return try work()
        } catch {
            throw .pairing(error)
        }
    }

    private static func exponent() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: .min ... .max) } }
}

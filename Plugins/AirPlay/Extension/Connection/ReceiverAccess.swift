import AirPlayPairing
import AirPlayProtocol
import Foundation
import MediaDevice

/// The addresses of a receiver and the secret with which this computer authenticates.
struct ReceiverAccess: Sendable {
    var addresses: [AirPlayAddress]
    /// The secret; `nil` if none is known or required.
    var secret: ReceiverSecret?
    /// A Boolean value that indicates whether connections are encrypted without a code.
    var isTransient = false

    /// Connects and authenticates.
    ///
    /// - Throws: ``AirPlayError/notPaired(_:)`` if the pairing is no longer valid.
    func open(_ timeouts: AirPlayTimeouts) async throws(AirPlayError) -> RTSPConnection {
        let connection = try await RTSPConnection.open(
            anyOf: addresses, password: secret?.password, timeouts: timeouts)
        do throws(AirPlayError) {
            try await prove(on: connection)
            return connection
        } catch {
            await connection.close()
            throw error
        }
    }

    private func prove(on connection: RTSPConnection) async throws(AirPlayError) {
        let exchange = PairingExchange(connection)
        do throws(PairingFailure) {
            switch secret {
            case .homeKit(let identity, let device):
                await connection.encrypt(by: try await exchange.verify(device, as: identity))
            case .legacy(let identity): try await exchange.verify(as: identity)
            case nil where isTransient: await connection.encrypt(by: try await exchange.pairForNow())
            case .password, nil: break
            }
        } catch {
            switch error {
            case .connection(let error): throw error
            case .pairing(let error): throw error.asVerificationError
            }
        }
    }
}

/// An error of pairing: of the connection, or from the receiver.
enum PairingFailure: Error, Sendable, Hashable {
    case connection(AirPlayError)
    case pairing(PairingError)
}

extension PairingError {
    /// The error of a verification. Only some mean that the pairing is no longer valid.
    fileprivate var asVerificationError: AirPlayError {
        switch self {
        case .refused, .status(400..<500), .failed: .notPaired("It does not know this computer any more.")
        case .unproved: .notPaired("It has been reset since it was paired with, or is another device than that one.")
        case .malformed(let what): .malformed(what)
        case .backOff, .tooManyAttempts, .noRoom, .busy, .limited, .withdrawn, .status: .letNobodyIn(sentence)
        }
    }
}

extension MediaOutputDevice {
    /// Returns the access to the audio service; `nil` if the receiver has none.
    func audioAccess(_ secret: ReceiverSecret?) -> ReceiverAccess? {
        audioAddresses.isEmpty ? nil : ReceiverAccess(addresses: audioAddresses, secret: secret)
    }

    /// Returns the access to the service that plays URLs; `nil` if the receiver has none.
    func videoAccess(_ secret: ReceiverSecret?) -> ReceiverAccess? {
        videoAddresses.isEmpty
            ? nil
            : ReceiverAccess(
                addresses: videoAddresses, secret: secret,
                isTransient: AirPlayDeviceFacts(self).access == .transient)
    }
}

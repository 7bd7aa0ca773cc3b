import AirPlayPairing
import AirPlayProtocol
import Foundation
import MediaDevice

/// The way into a receiver: where it is, and what this machine proves itself by.
struct ReceiverAccess: Sendable {
    var addresses: [AirPlayAddress]
    /// `nil` where nothing is known, or nothing is asked for.
    var secret: ReceiverSecret?
    /// Whether its connections are encrypted though it asks nobody for a code.
    var isTransient = false

    /// Connects, and proves what there is to prove.
    ///
    /// - Throws: ``AirPlayError/notPaired(_:)`` where the pairing holds no more.
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

/// What keeps a pairing from coming about: the way to the receiver, or its word.
enum PairingFailure: Error, Sendable, Hashable {
    case connection(AirPlayError)
    case pairing(PairingError)
}

extension PairingError {
    /// An error of a verification, of which only some mean that the pairing is over.
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
    /// The way to its live sound; `nil` where it takes none.
    func audioAccess(_ secret: ReceiverSecret?) -> ReceiverAccess? {
        audioAddresses.isEmpty ? nil : ReceiverAccess(addresses: audioAddresses, secret: secret)
    }

    /// The way to where it takes addresses; `nil` where it takes none.
    func videoAccess(_ secret: ReceiverSecret?) -> ReceiverAccess? {
        videoAddresses.isEmpty
            ? nil
            : ReceiverAccess(
                addresses: videoAddresses, secret: secret,
                isTransient: AirPlayDeviceFacts(self).access == .transient)
    }
}

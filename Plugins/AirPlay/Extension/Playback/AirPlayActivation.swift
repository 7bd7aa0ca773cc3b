import AirPlayPairing
import AirPlayProtocol
import Foundation
import MediaDevice

/// The activation of a device: connects with the stored secret or without one, and asks for one if necessary.
@MainActor
struct AirPlayActivation {
    enum Outcome: Sendable {
        /// The receiver answers, and takes this secret, or none.
        case ready(ReceiverSecret?)
        /// A password is required; the sentence says why.
        case needsPassword(String)
        /// The receiver shows a code; the sentence says why it is required.
        case needsCode(String, PairingAttempt)
        /// Pairing failed.
        case notPaired(PairingFailure)
        case failed(MediaDeviceError)
    }

    let device: MediaOutputDevice
    let host: MediaDeviceRoutingManager
    let timeouts: AirPlayTimeouts

    private var facts: AirPlayDeviceFacts { AirPlayDeviceFacts(device) }

    private var question: String {
        facts.access.takesCode
            ? "“\(device.displayName)” shows a code." : "Playing on “\(device.displayName)” takes a password."
    }

    /// Connects with the stored secret, then without one, because the receiver may have lost its password or its
    /// pairings.
    func withStoredSecret() async -> Outcome {
        guard let stored = host.credential(for: device).flatMap({ ReceiverSecret($0) }) else {
            return await withoutSecret(question)
        }
        do throws(AirPlayError) {
            try await greet(stored)
            return .ready(stored)
        } catch .wrongPassword {
            host.setCredential(nil, for: device)
            return await withoutSecret("“\(device.displayName)” does not accept the stored password any more.")
        } catch .notPaired(let sentence) {
            host.setCredential(nil, for: device)
            return await withoutSecret("“\(device.displayName)” has to be paired with again. \(sentence)")
        } catch {
            return .failed(MediaDeviceError(error, .connectionFailed))
        }
    }

    /// The receiver put its code away before it was given.
    static var withdrawn: Outcome { .notPaired(.pairing(.withdrawn)) }

    /// Tries the password a person gave, and stores it unless it is wrong.
    func withPassword(_ password: String) async -> Outcome {
        do throws(AirPlayError) {
            try await greet(.password(password))
            host.setCredential(ReceiverSecret.password(password).data, for: device)
            return .ready(.password(password))
        } catch {
            return .failed(MediaDeviceError(error, .connectionFailed))
        }
    }

    /// Pairs by the code a person gave, and stores the pairing once the receiver has let this machine in by it.
    func withCode(_ code: String, _ attempt: PairingAttempt) async -> Outcome {
        let secret: ReceiverSecret
        do throws(PairingFailure) {
            secret = try await attempt.finish(code)
        } catch {
            return .notPaired(error)
        }
        do throws(AirPlayError) {
            // With the older pairing the receiver has accepted this machine already; UxPlay recognises it later only
            // after a playback.
            if case .homeKit = secret { try await greet(secret) }
            host.setCredential(secret.data, for: device)
            return .ready(secret)
        } catch {
            return .failed(MediaDeviceError(error, .connectionFailed))
        }
    }

    private func withoutSecret(_ reason: String) async -> Outcome {
        guard !facts.access.takesCode else { return await showCode(reason) }
        do throws(AirPlayError) {
            try await greet(nil)
            // Some receivers challenge only at the start of playback, but announce the password.
            return facts.access == .password ? .needsPassword(reason) : .ready(nil)
        } catch .wrongPassword {
            return .needsPassword(reason)
        } catch {
            return .failed(MediaDeviceError(error, .connectionFailed))
        }
    }

    private func showCode(_ reason: String) async -> Outcome {
        do throws(PairingFailure) {
            let attempt = try await PairingAttempt.begin(
                anyOf: device.pairingAddresses, isLegacy: facts.access == .legacyCode, timeouts: timeouts)
            return .needsCode(reason, attempt)
        } catch {
            return .notPaired(error)
        }
    }

    /// Connects in every way that playback will use.
    private func greet(_ secret: ReceiverSecret?) async throws(AirPlayError) {
        if let access = device.audioAccess(secret) {
            try await use(access) { connection throws(AirPlayError) in try await AudioSession.greet(connection) }
        }
        if let access = device.videoAccess(secret) {
            try await use(access) { connection throws(AirPlayError) in try await VideoSession.greet(connection) }
        }
    }

    private func use(
        _ access: ReceiverAccess, _ work: (RTSPConnection) async throws(AirPlayError) -> Void
    ) async throws(AirPlayError) {
        let connection = try await access.open(timeouts)
        do throws(AirPlayError) {
            try await work(connection)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}

import AirPlayPairing
import AirPlayProtocol
import Foundation
import MediaDevice
import PlaybackKit

/// The activation of a device: connects with a secret or without one, and pairs by a code if the receiver shows one.
@MainActor
struct AirPlayActivation {
    let device: MediaOutputDevice
    let host: MediaDeviceRoutingManager
    let timeouts: AirPlayTimeouts
    let prompt: PlayerPrompt
    let pauses: PairingPauses

    private var facts: AirPlayDeviceFacts { AirPlayDeviceFacts(device) }

    /// Makes one attempt.
    ///
    /// - Returns: The secret that the receiver takes, or none; and what to store for the next activation.
    func open(_ secret: PlayerSecret) async throws(PlayerOpeningError) -> (ReceiverSecret?, Data?) {
        var reason = "“\(device.displayName)” shows a code."
        if case .stored(let data) = secret, let stored = ReceiverSecret(data) {
            do throws(AirPlayError) {
                try await greet(stored)
                return (stored, nil)
            } catch {
                switch error {
                case .wrongPassword: throw passwordRequired
                case .notPaired(let sentence):
                    host.setCredential(nil, for: device)
                    reason = "“\(device.displayName)” has to be paired with again. \(sentence)"
                default: throw .failed(error)
                }
            }
        }
        guard !facts.access.takesCode else { return try await pair(reason) }
        if case .entered(let password) = secret {
            let password = ReceiverSecret.password(password)
            do throws(AirPlayError) { try await greet(password) } catch { throw .failed(error) }
            return (password, password.data)
        }
        do throws(AirPlayError) { try await greet(nil) } catch {
            if case .wrongPassword = error { throw passwordRequired }
            throw .failed(error)
        }
        // Some receivers challenge only at the start of playback, but announce the password.
        guard facts.access != .password else { throw passwordRequired }
        return (nil, nil)
    }

    private var passwordRequired: PlayerOpeningError {
        .secretRequired(SecretRequest(.password, reason: "Playing on “\(device.displayName)” takes a password."))
    }

    /// Pairs by the code on the receiver's screen, and connects with the pairing.
    private func pair(_ reason: String) async throws(PlayerOpeningError) -> (ReceiverSecret?, Data?) {
        let paired: ReceiverSecret?
        do throws(PairingFailure) { paired = try await askForCode(reason) } catch {
            pauses.note(error, of: device.id, at: .now)
            throw .failed(MediaDeviceError(error))
        }
        guard let secret = paired else {
            throw .failed(MediaDeviceError(.authorizationFailed, reason: "Nothing was entered."))
        }
        // With the older pairing the receiver has accepted this machine already; UxPlay recognises it later only after a
        // playback.
        if case .homeKit = secret {
            do throws(AirPlayError) { try await greet(secret) } catch { throw .failed(error) }
        }
        return (secret, secret.data)
    }

    /// - Returns: `nil` if the person entered nothing.
    private func askForCode(_ reason: String) async throws(PairingFailure) -> ReceiverSecret? {
        if let obstacle = pauses.obstacle(to: device.id, at: .now) { throw obstacle }
        let attempt = try await PairingAttempt.begin(
            anyOf: device.pairingAddresses, isLegacy: facts.access == .legacyCode, timeouts: timeouts)
        // It may put its code away before it is given.
        let watch = Task {
            await attempt.end()
            if !Task.isCancelled { prompt.withdraw() }
        }
        defer { watch.cancel() }
        let question = SecretRequest(.numericCode(length: .fourCharacter), reason: reason)
        guard let code = await prompt.ask(question) else {
            let isWithdrawn = await !attempt.isOpen
            await attempt.cancel()
            if isWithdrawn { throw .pairing(.withdrawn) }
            return nil
        }
        return try await attempt.finish(code)
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

extension PlayerOpeningError {
    fileprivate static func failed(_ error: AirPlayError) -> Self {
        .failed(MediaDeviceError(error, .connectionFailed))
    }
}

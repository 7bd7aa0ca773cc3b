import Foundation
import MediaDevice

/// The steps of an activation: first the stored secret, then none, then one from a person.
///
/// A value without I/O: it receives results and returns the next step.
struct ActivationFlow {
    /// A step of the activation.
    enum Step: Equatable {
        /// Attempt to open the device with this secret.
        case open(PlayerSecret)
        /// Remove the stored secret, then attempt to open the device without one.
        case forgetAndOpen
        /// Ask the person, and pass the answer to ``answered(_:)``.
        case ask(SecretRequest)
        /// The device is open. Store the secret unless it is `nil`.
        case finish(store: Data?)
        /// The activation failed.
        case fail(MediaDeviceError)

        static func == (left: Step, right: Step) -> Bool {
            switch (left, right) {
            case (.open(let left), .open(let right)): left == right
            case (.forgetAndOpen, .forgetAndOpen): true
            case (.ask(let left), .ask(let right)): left == right
            case (.finish(let left), .finish(let right)): left == right
            case (.fail(let left), .fail(let right)): left.code == right.code && left.reason == right.reason
            default: false
            }
        }
    }

    private let name: String
    private var secret: PlayerSecret
    private var hasForgotten = false

    /// Creates the flow of one activation.
    ///
    /// - Parameters:
    ///   - name: The device's name, for messages.
    ///   - stored: The secret that an earlier activation stored.
    init(name: String, stored: Data?) {
        self.name = name
        secret = stored.map(PlayerSecret.stored) ?? .none
    }

    var first: Step { .open(secret) }

    /// Returns the step after a successful attempt.
    ///
    /// - Parameter toStore: The player's own ``RemotePlayer/secretToStore``.
    func opened(toStore: Data?) -> Step {
        guard case .entered(let text) = secret else { return .finish(store: toStore) }
        return .finish(store: toStore ?? Data(text.utf8))
    }

    /// Returns the step after a failed attempt.
    mutating func refused(_ error: PlayerOpeningError) -> Step {
        switch (error, secret) {
        case (.failed(let error), _): return .fail(error)
        case (.secretRequired, .stored), (.secretRejected, .stored):
            // The device may have lost its password, or has another one now.
            secret = .none
            hasForgotten = true
            return .forgetAndOpen
        case (.secretRequired(let request), .none): return .ask(hasForgotten ? afterForgetting(request) : request)
        // The host repeats the request by itself.
        case (.secretRequired(let request), .entered):
            return .fail(MediaDeviceError(.authorizationFailed, reason: request.reason))
        case (.secretRejected(let reason, let wait), .none), (.secretRejected(let reason, let wait), .entered):
            return .fail(MediaDeviceError(.authorizationFailed, reason: Self.sentence(reason, wait)))
        }
    }

    /// Returns the step after the person's answer; `nil` if they cancelled.
    mutating func answered(_ text: String?) -> Step {
        guard let text else {
            return .fail(MediaDeviceError(.authorizationFailed, reason: "Pairing with “\(name)” was cancelled."))
        }
        secret = .entered(text)
        return .open(secret)
    }

    private func afterForgetting(_ request: SecretRequest) -> SecretRequest {
        let stored = request.method == .password ? "stored password" : "earlier pairing"
        return SecretRequest(
            request.method, reason: "“\(name)” doesn't accept the \(stored) any longer. \(request.reason)")
    }

    private static func sentence(_ reason: String, _ wait: Duration?) -> String {
        guard let seconds = wait?.components.seconds, seconds > 0 else { return reason }
        return "\(reason) Try again in \(seconds) \(seconds == 1 ? "second" : "seconds")."
    }
}

import AirPlayPairing
import Foundation
import MediaDevice

/// Receivers that said how long they take no code, so that they are not asked before: asking again makes some wait longer.
@MainActor
final class PairingPauses {
    private var ends: [MediaOutputDevice.ID: ContinuousClock.Instant] = [:]

    /// Records a receiver's request to wait.
    func note(_ failure: PairingFailure, of device: MediaOutputDevice.ID, at now: ContinuousClock.Instant) {
        guard case .pairing(.backOff(let seconds?)) = failure else { return }
        ends[device] = now + .seconds(min(seconds, 86_400))
    }

    /// Returns the reason not to ask a receiver yet; `nil` if there is none.
    func obstacle(to device: MediaOutputDevice.ID, at now: ContinuousClock.Instant) -> PairingFailure? {
        guard let end = ends[device] else { return nil }
        guard end > now else {
            ends[device] = nil
            return nil
        }
        return .pairing(.backOff(seconds: Int((end - now).components.seconds) + 1))
    }
}

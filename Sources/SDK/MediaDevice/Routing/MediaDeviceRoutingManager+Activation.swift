import Foundation
import HostInterface
import PlaybackMirroring

extension MediaDeviceRoutingManager {
    /// Asks the person for a code or password; the answer comes to
    /// ``MediaDeviceExtension/connectUsingPairingCode(_:to:session:)``.
    ///
    /// - Parameter reason: Shown above the prompt, e.g. `Enter the code shown on the television.`
    public func requestPairingCode(
        for device: MediaOutputDevice, session: MediaOutputSession, reason: LocalizedStringResource,
        authorizationMethod: MediaOutputDevice.AuthorizationMethod
    ) {
        report(
            .requestPairingCode(
                device: device.id.uuidString, session: session.id,
                PairingChallenge(
                    method: authorizationMethod.method, length: authorizationMethod.length,
                    reason: String(localized: reason))))
    }

    /// Reports that the device is connected and, where needed, paired.
    public func activatedDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        report(.activatedDevice(device: device.id.uuidString, session: session.id))
    }

    /// Reports that the device cannot be used, or not any more; the session is over, unless others are used together with it.
    ///
    /// These play on, and the host activates the device again when it may be there again: after `connectionFailed` and
    /// `deviceInUse`.
    public func failedToActivateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, error: MediaDeviceError
    ) {
        devices.deactivated(device.id, session: session.id)
        forgetIfUnused(session)
        report(.failedToActivate(device: device.id.uuidString, session: session.id, error.asHostError))
    }

    func forgetIfUnused(_ session: MediaOutputSession) {
        if !devices.isInUse(session: session.id) { sessions.remove(session.id) }
    }

    // MARK: Credentials

    /// The secret stored for a device with ``setCredential(_:for:)``, in this or an earlier run; `nil` if none. It is at
    /// hand from the device's activation on. Only on Linux.
    public func credential(for device: MediaOutputDevice) -> Data? { devices.credential(device.id) }

    /// Stores a secret for a device, e.g. a key derived while pairing. The host keeps it where secrets are kept, under
    /// the device's identifier, until the person forgets the device. Only on Linux.
    ///
    /// - Parameter secret: `nil`, or no bytes, removes what is stored.
    public func setCredential(_ secret: Data?, for device: MediaOutputDevice) {
        let secret = secret.flatMap { $0.isEmpty ? nil : $0 }
        devices.setCredential(secret, for: device.id)
        report(.setCredential(device: device.id.uuidString, secret))
    }
}

public import Foundation
import HostInterface
import LinkProtocol
import PlaybackMirroring

extension MediaDeviceRoutingManager {
    /// Requests a code or password from the person. The answer arrives in
    /// ``MediaDeviceExtension/connectUsingPairingCode(_:to:session:)``.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - session: The session.
    ///   - reason: The text above the prompt, such as `Enter the code shown on the television.`
    ///   - authorizationMethod: The kind of input.
    public func requestPairingCode(
        for device: MediaOutputDevice, session: MediaOutputSession, reason: LocalizedStringResource,
        authorizationMethod: MediaOutputDevice.AuthorizationMethod
    ) {
        report(
            .requestPairingCode(
                device: device.id.uuidString, session: session.id,
                challenge: PairingChallenge(
                    method: authorizationMethod.method, length: authorizationMethod.length,
                    reason: String(localized: reason))))
    }

    /// Reports that the device is connected and, if necessary, paired.
    public func activatedDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        report(.activatedDevice(device: device.id.uuidString, session: session.id))
    }

    /// Reports that the device can't be used, or can no longer be used. The session ends unless it has other devices.
    ///
    /// The other devices continue to play. After `connectionFailed` and `deviceInUse` the host activates the device
    /// again when it may be available.
    public func failedToActivateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, error: MediaDeviceError
    ) {
        devices.deactivated(device.id, session: session.id)
        forgetIfUnused(session)
        report(.failedToActivate(device: device.id.uuidString, session: session.id, error: error.asHostError))
    }

    func forgetIfUnused(_ session: MediaOutputSession) {
        if !devices.isInUse(session: session.id) { sessions.remove(session.id) }
    }

    // MARK: Credentials

    /// Returns the secret of a device that ``setCredential(_:for:)`` stored in this run or an earlier one; `nil` if
    /// there is none.
    ///
    /// It is available from the device's activation on. Available on Linux only.
    public func credential(for device: MediaOutputDevice) -> Data? { devices.credential(device.id) }

    /// Stores a secret of a device, such as a key from pairing. Available on Linux only.
    ///
    /// The host keeps it in its secret storage under the device's identifier, until the person forgets the device.
    ///
    /// - Parameters:
    ///   - secret: The secret; `nil` or empty to remove it.
    ///   - device: The device.
    public func setCredential(_ secret: Data?, for device: MediaOutputDevice) {
        let secret = secret.flatMap { $0.isEmpty ? nil : $0 }
        devices.setCredential(secret, for: device.id)
        report(.setCredential(device: device.id.uuidString, secret: secret))
    }
}

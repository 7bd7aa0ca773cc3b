import Foundation
import MediaDevice

/// What the extension tells the host: the part of ``MediaDeviceRoutingManager`` it uses, so that tests can listen.
@MainActor
protocol HostReports: AnyObject {
    func foundDevice(_ device: MediaOutputDevice)
    func updateDevices(_ devices: [MediaOutputDevice])
    func lostDevice(_ device: MediaOutputDevice)
    func discoveryFailed(_ error: MediaDeviceError)
    func volumeChanged(for device: MediaOutputDevice)
    func requestPairingCode(
        for device: MediaOutputDevice, session: MediaOutputSession, reason: LocalizedStringResource,
        authorizationMethod: MediaOutputDevice.AuthorizationMethod)
    func activatedDevice(_ device: MediaOutputDevice, session: MediaOutputSession)
    func failedToActivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession, error: MediaDeviceError)
    func started<T: AVPlaybackUserInterfaceControllable>(
        application applicationIdentifier: String?, playbackControl: T, session: MediaOutputSession)
    func sessionFailed(_ session: MediaOutputSession, error: MediaDeviceError)
    func sessionEnded(_ session: MediaOutputSession)
    func credential(for device: MediaOutputDevice) -> Data?
    func setCredential(_ secret: Data?, for device: MediaOutputDevice)
}

extension MediaDeviceRoutingManager: HostReports {}

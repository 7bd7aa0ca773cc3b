import Foundation
import MediaDevice
import Testing

@testable import MPDExtension

/// Stands for the host: keeps what the extension reports.
@MainActor
final class ReportRecorder: HostReports {
    enum Report: Hashable {
        case found(String), lost(String), discoveryFailed
        case updated(MediaOutputDevice.VolumeControl)
        case volumeChanged
        case pairingRequested(String, MediaOutputSession.ID)
        case activated(MediaOutputSession.ID)
        case activationFailed(MediaDeviceError.Code, String?)
        case started(MediaOutputSession.ID)
        case failed(MediaDeviceError.Code, MediaDeviceError.Detail?)
        case ended(MediaOutputSession.ID)
    }

    private(set) var reports: [Report] = []
    private(set) var devices: [MediaOutputDevice] = []
    private(set) var controls: [MediaOutputSession.ID: any AVPlaybackUserInterfaceControllable] = [:]
    var credentials: [MediaOutputDevice.ID: Data] = [:]

    /// Waits until so many reports came, and gives all.
    func reports(atLeast count: Int) async -> [Report] {
        await eventually("only \(reports.count) of \(count) reports") { reports.count >= count }
        return reports
    }

    func foundDevice(_ device: MediaOutputDevice) {
        devices.append(device)
        reports.append(.found(device.displayName))
    }

    func updateDevices(_ devices: [MediaOutputDevice]) {
        self.devices += devices
        reports += devices.map { .updated($0.volumeControl) }
    }

    func lostDevice(_ device: MediaOutputDevice) { reports.append(.lost(device.displayName)) }
    func discoveryFailed(_ error: MediaDeviceError) { reports.append(.discoveryFailed) }
    func volumeChanged(for device: MediaOutputDevice) { reports.append(.volumeChanged) }

    func requestPairingCode(
        for device: MediaOutputDevice, session: MediaOutputSession, reason: LocalizedStringResource,
        authorizationMethod: MediaOutputDevice.AuthorizationMethod
    ) {
        guard authorizationMethod == .password else { return }
        reports.append(.pairingRequested(String(localized: reason), session.id))
    }

    func activatedDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {
        reports.append(.activated(session.id))
    }

    func failedToActivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession, error: MediaDeviceError) {
        reports.append(.activationFailed(error.code, error.reason))
    }

    func started<T: AVPlaybackUserInterfaceControllable>(
        application applicationIdentifier: String?, playbackControl: T, session: MediaOutputSession
    ) {
        controls[session.id] = playbackControl
        reports.append(.started(session.id))
    }

    func sessionFailed(_ session: MediaOutputSession, error: MediaDeviceError) {
        reports.append(.failed(error.code, error.detail))
    }

    func sessionEnded(_ session: MediaOutputSession) { reports.append(.ended(session.id)) }
    func credential(for device: MediaOutputDevice) -> Data? { credentials[device.id] }
    func setCredential(_ secret: Data?, for device: MediaOutputDevice) { credentials[device.id] = secret }
}

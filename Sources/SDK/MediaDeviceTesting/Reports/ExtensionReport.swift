import Foundation
import HostInterface
import MediaDevice

/// What an extension told the system, one case per method of `MediaDeviceRoutingManager`.
public enum ExtensionReport: Sendable, Hashable {
    case found(MediaOutputDevice)
    case updated([MediaOutputDevice])
    case lost(MediaOutputDevice.ID)
    case discoveryFailed(ReportedError)
    /// `level` is `nil` where the device has no absolute volume.
    case volumeChanged(device: MediaOutputDevice.ID, level: Double?, isMuted: Bool)
    case pairingCodeRequested(
        device: MediaOutputDevice.ID, session: MediaOutputSession.ID, PairingRequest)
    case activated(device: MediaOutputDevice.ID, session: MediaOutputSession.ID)
    case activationFailed(device: MediaOutputDevice.ID, session: MediaOutputSession.ID, ReportedError)
    /// `application` is `nil` for the device's own player.
    case started(session: MediaOutputSession.ID, application: String?)
    /// What the control object shows changed, other than by its clock running on.
    case playbackChanged(session: MediaOutputSession.ID)
    case sessionFailed(session: MediaOutputSession.ID, ReportedError)
    case sessionEnded(session: MediaOutputSession.ID)
    case dataReceived(Data, application: String, session: MediaOutputSession.ID)
    case qualityReported(thresholdsMet: Bool, session: MediaOutputSession.ID)
    case qualityMeasured(RealtimeQuality, session: MediaOutputSession.ID)
    /// `nil`: what was stored is removed.
    case credentialStored(device: MediaOutputDevice.ID, Data?)
    /// What the extension needs to know the playback again.
    case adoptionTokenSet(Data, session: MediaOutputSession.ID)
}

/// An error as the system and scripts see it.
public struct ReportedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable slug: `authorization-failed`, `unsupported-format`, or the `Detail` the extension gave.
    public let code: String
    /// One sentence for people.
    public let message: String

    init(_ error: HostError) {
        code = error.code.rawValue
        message = error.message
    }

    public var description: String { "\(code): \(message)" }
}

/// What the person is asked for.
public struct PairingRequest: Sendable, Hashable {
    public enum Method: Sendable, Hashable {
        /// A code of so many digits.
        case numericCode(digits: Int)
        case password
        /// Nothing: the person confirms on the device.
        case none
    }

    public let method: Method
    /// The sentence above the prompt.
    public let reason: String

    init(_ challenge: PairingChallenge) {
        method =
            switch challenge.method {
            case .numericCode: .numericCode(digits: challenge.length)
            case .password: .password
            case .none: .none
            }
        reason = challenge.reason
    }
}

extension ExtensionReport {
    /// - Returns: `nil` for what concerns browsing and announcing, which ``TestNetwork`` answers.
    init?(_ message: HostMessage) {
        func id(_ text: String) -> UUID { UUID(uuidString: text) ?? UUID(version5: text) }
        switch message {
        case .foundDevice(let device):
            guard let device = MediaOutputDevice(device) else { return nil }
            self = .found(device)
        case .updateDevices(let devices): self = .updated(devices.compactMap { MediaOutputDevice($0) })
        case .lostDevice(let device): self = .lost(id(device))
        case .discoveryFailed(let error): self = .discoveryFailed(ReportedError(error))
        case .volumeChanged(let device, let level, let isMuted):
            self = .volumeChanged(device: id(device), level: level, isMuted: isMuted)
        case .requestPairingCode(let device, let session, let challenge):
            self = .pairingCodeRequested(device: id(device), session: session, PairingRequest(challenge))
        case .activatedDevice(let device, let session): self = .activated(device: id(device), session: session)
        case .failedToActivate(let device, let session, let error):
            self = .activationFailed(device: id(device), session: session, ReportedError(error))
        case .started(let session, let application, _):
            self = .started(session: session, application: application.isEmpty ? nil : application)
        case .playbackChanged(let session, _): self = .playbackChanged(session: session)
        case .sessionFailed(let session, let error):
            self = .sessionFailed(session: session, ReportedError(error))
        case .sessionEnded(let session): self = .sessionEnded(session: session)
        case .receiveData(let data, let application, let session):
            self = .dataReceived(data, application: application, session: session)
        case .reportQuality(let thresholdsMet, let session):
            self = .qualityReported(thresholdsMet: thresholdsMet, session: session)
        case .measureQuality(let session, let quality):
            self = .qualityMeasured(RealtimeQuality(quality), session: session)
        case .setCredential(let device, let secret): self = .credentialStored(device: id(device), secret)
        case .setAdoptionToken(let session, let token): self = .adoptionTokenSet(token, session: session)
        case .browse, .cancelBrowse, .announce, .cancelAnnouncement, .bluetooth, .central: return nil
        }
    }
}

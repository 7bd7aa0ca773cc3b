public import Foundation
import HostInterface
import LinkProtocol
public import MediaDevice

/// A report of an extension: one case for each method of `MediaDeviceRoutingManager`.
public enum ExtensionReport: Sendable, Hashable {
    /// A device was discovered.
    case found(MediaOutputDevice)
    /// The state of some devices changed.
    case updated([MediaOutputDevice])
    /// A device is gone.
    case lost(MediaOutputDevice.ID)
    /// Discovery can't run.
    case discoveryFailed(ReportedError)
    /// The volume changed; `level` is `nil` if the device has no absolute volume.
    case volumeChanged(device: MediaOutputDevice.ID, level: Double?, isMuted: Bool)
    /// The extension requested a code or password.
    case pairingCodeRequested(
        device: MediaOutputDevice.ID, session: MediaOutputSession.ID, PairingRequest)
    /// The device is active.
    case activated(device: MediaOutputDevice.ID, session: MediaOutputSession.ID)
    /// The device couldn't be activated, or can no longer be used.
    case activationFailed(device: MediaOutputDevice.ID, session: MediaOutputSession.ID, ReportedError)
    /// Playback started; `application` is `nil` for the device's own player.
    case started(session: MediaOutputSession.ID, application: String?)
    /// The control object changed, other than by the progress of its position.
    case playbackChanged(session: MediaOutputSession.ID)
    /// The session failed.
    case sessionFailed(session: MediaOutputSession.ID, ReportedError)
    /// Playback ended by itself; `ending` is `nil` if the extension doesn't tell how.
    case sessionEnded(session: MediaOutputSession.ID, ending: MediaOutputSession.Ending?)
    /// Data for the app arrived.
    case dataReceived(Data, application: String, session: MediaOutputSession.ID)
    /// A realtime delivery ended, with its quality.
    case qualityReported(thresholdsMet: Bool, session: MediaOutputSession.ID)
    /// The quality of a realtime delivery was measured.
    case qualityMeasured(RealtimeQuality, session: MediaOutputSession.ID)
    /// A secret was stored; `nil` removes it.
    case credentialStored(device: MediaOutputDevice.ID, Data?)
    /// The token for adoption was stored.
    case adoptionTokenSet(Data, session: MediaOutputSession.ID)
}

/// An error as the system and scripts see it.
public struct ReportedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The stable slug: `authorization-failed`, `unsupported-format`, or the extension's `Detail`.
    public let code: String
    /// One sentence for people.
    public let message: String

    init(_ error: HostError) {
        code = error.code.rawValue
        message = error.message
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}

/// A request for a person to authenticate.
public struct PairingRequest: Sendable, Hashable {
    /// The kind of input.
    public enum Method: Sendable, Hashable {
        /// A code with a number of digits.
        case numericCode(digits: Int)
        /// A password.
        case password
        /// No input: the person confirms on the device.
        case none
    }

    /// The kind of input.
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
    /// Creates a report from a message; `nil` for browsing and announcements, which ``TestNetwork`` handles.
    init?(_ message: ExtensionMessage) {
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
        case .sessionEnded(let session, let ending):
            self = .sessionEnded(session: session, ending: ending.map(MediaOutputSession.Ending.init))
        case .receiveData(let data, let application, let session):
            self = .dataReceived(data, application: application, session: session)
        case .reportQuality(let session, let thresholdsMet):
            self = .qualityReported(thresholdsMet: thresholdsMet, session: session)
        case .measureQuality(let session, let quality):
            self = .qualityMeasured(RealtimeQuality(quality), session: session)
        case .setCredential(let device, let secret): self = .credentialStored(device: id(device), secret)
        case .setAdoptionToken(let session, let token): self = .adoptionTokenSet(token, session: session)
        case .browse, .cancelBrowse, .announce, .cancelAnnouncement, .bluetooth, .central, .readMedia,
            .mediaSessionChanged:
            return nil
        }
    }
}

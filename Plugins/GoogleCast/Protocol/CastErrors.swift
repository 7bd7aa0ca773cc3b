import DeviceConnections
import PlaybackKit

extension CastRefusal {
    /// Returns the error for people and apps.
    public var asDeviceError: MediaDeviceError {
        switch self {
        case .timedOut:
            MediaDeviceError(.sessionFailed, detail: .timedOut, reason: "The device is connected, but doesn't answer.")
        case .applicationEnded:
            MediaDeviceError(.sessionFailed, detail: .deviceRefused, reason: "The app on the device has ended.")
        case .tooLong:
            MediaDeviceError(
                .sessionFailed, detail: .notSupported, reason: "The address or title of the media is too long.")
        case .refused("LAUNCH_ERROR", let reason, _): Self.launchError(reason)
        case .refused("LOAD_FAILED", _, let code): Self.loadFailure(code)
        case .refused("LOAD_CANCELLED", _, _):
            Self.refused("Other media took its place before it started.")
        case .refused("INVALID_PLAYER_STATE", _, _):
            Self.refused("The device can't do that with the media in its present state.")
        case .refused(let type, let reason, _):
            Self.refused("The device refused: \(type)\(reason.map { " (\($0))" } ?? "").")
        }
    }

    private static func refused(_ sentence: String) -> MediaDeviceError {
        MediaDeviceError(.sessionFailed, detail: .deviceRefused, reason: sentence)
    }

    private static func launchError(_ reason: String?) -> MediaDeviceError {
        switch reason {
        case "NOT_FOUND":
            refused("The device couldn't load its media app. Check that the device has an internet connection.")
        case "NOT_ALLOWED", "USER_NOT_ALLOWED":
            refused("The device doesn't allow this computer to play. Allow it on its screen or in the Google Home app.")
        case "CANCELLED": refused("The start of the media app was cancelled on the device. Try again.")
        case let reason: refused("The device couldn't start its media app\(reason.map { " (\($0))" } ?? "").")
        }
    }

    /// Source: `DetailedErrorCode` of the Web Receiver SDK.
    private static func loadFailure(_ code: Int?) -> MediaDeviceError {
        guard let code else { return refused("The device couldn't load the media.") }
        return switch code {
        case 102, 104:
            MediaDeviceError(
                .sessionFailed, detail: .unsupportedFormat,
                reason: "The device can't open the media: its format isn't supported, or its address can't be reached.")
        case 103, 301, 311...316, 321, 411, 412, 421...424, 431...433:
            MediaDeviceError(
                .sessionFailed, detail: .unreachableURL,
                reason: "The device can't fetch the media (error \(code)). A file of this computer needs an open port "
                    + "in its firewall.")
        default: refused("The device couldn't load the media (error \(code)).")
        }
    }
}

extension TransportFailure {
    /// Returns the error for people and apps.
    public var asDeviceError: MediaDeviceError {
        if case .timedOut = self { return MediaDeviceError(.connectionFailed, detail: .timedOut, reason: sentence) }
        return MediaDeviceError(.connectionFailed, reason: sentence)
    }
}

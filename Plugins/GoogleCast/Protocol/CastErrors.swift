import DeviceConnections
public import Foundation
public import PlaybackKit

extension CastRefusal {
    /// Returns the error for people and apps.
    ///
    /// - Parameters:
    ///   - url: The URL of the media to load.
    ///   - application: The identifier of the app to start, if it isn't the media app.
    public func asDeviceError(loading url: URL? = nil, application: String? = nil) -> MediaDeviceError {
        switch self {
        case .transport(let failure): MediaDeviceError(failure)
        case .timedOut: MediaDeviceError(.timedOut, "The device is connected, but doesn't answer.")
        case .applicationEnded: MediaDeviceError(.deviceRefused, "The app on the device has ended.")
        case .tooLong: MediaDeviceError(.notSupported, "The message to the device is too long.")
        case .launch(let error): MediaDeviceError(.deviceRefused, error.sentence(application: application))
        case .load(let error): MediaDeviceError(error.detail, error.sentence(url))
        case .refused("INVALID_PLAYER_STATE", _):
            MediaDeviceError(.deviceRefused, "The device can't do that with the media in its present state.")
        case .refused(let type, let reason):
            MediaDeviceError(.deviceRefused, "The device refused: \(type)\(reason.map { " (\($0))" } ?? "").")
        }
    }
}

extension MediaDeviceError {
    /// Creates the error of a failed request.
    ///
    /// - Parameter reason: A sentence for people.
    public init(_ detail: Detail, _ reason: String) { self.init(.sessionFailed, detail: detail, reason: reason) }
}

extension CastRefusal.LaunchError {
    fileprivate func sentence(application: String?) -> String {
        let app = application.map { "the app \($0)" } ?? "its media app"
        return switch self {
        case .notFound where application != nil:
            "The device doesn't know \(app), or couldn't load it. Check the identifier and the device's internet connection."
        case .notFound: "The device couldn't load \(app). Check that the device has an internet connection."
        case .notAllowed:
            "The device doesn't allow this computer to play. Allow it on its screen or in the Google Home app."
        case .cancelled: "The start of the app was cancelled on the device. Try again."
        case .other(let reason): "The device couldn't start \(app)\(reason.map { " (\($0))" } ?? "")."
        }
    }
}

extension CastRefusal.LoadError {
    fileprivate var detail: MediaDeviceError.Detail {
        switch self {
        case .unreachable: .unreachableURL
        case .undecodable, .unsupported: .unsupportedFormat
        case .replaced, .other: .deviceRefused
        }
    }

    fileprivate func sentence(_ url: URL?) -> String {
        switch self {
        case .unreachable(let code):
            return "The device can't fetch the media\(Self.place(url)) (error \(code)). \(Self.firewall(url))"
        case .undecodable(let code):
            return "The device can't decode the media (error \(code)). Convert it to MP4 with H.264 and AAC."
        case .unsupported(let code):
            return "The device can't open the media (error \(code)): its format isn't supported, or it can't be reached"
                + "\(Self.place(url)). \(Self.firewall(url))"
        case .replaced: return "Other media took its place before it started."
        case .other(let code):
            return "The device couldn't load the media\(code.map { " (error \($0))" } ?? "")."
        }
    }

    private static func place(_ url: URL?) -> String {
        guard let host = url?.host() else { return "" }
        return " at \(host)\(url?.port.map { ":\($0)" } ?? "")"
    }

    /// A device fetches the files of this computer from a port that its firewall may block.
    private static func firewall(_ url: URL?) -> String {
        guard let port = url?.port else { return "Check that the address is right and that the device can reach it." }
        return "If that is this computer, allow TCP port \(port) in its firewall."
    }
}

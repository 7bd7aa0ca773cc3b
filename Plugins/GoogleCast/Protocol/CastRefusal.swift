public import DeviceConnections
import JSONValues

/// The reason why a request has no answer of use.
public enum CastRefusal: Error, Sendable, Hashable {
    case transport(TransportFailure)
    /// The app wasn't started.
    case launch(LaunchError)
    /// The app can't open the media.
    case load(LoadError)
    /// The type of another refusal, such as `INVALID_REQUEST`, and its `reason`.
    case refused(String, reason: String?)
    /// The device is there, but doesn't answer this request.
    case timedOut
    /// The app has ended.
    case applicationEnded
    /// The request is longer than a message may be.
    case tooLong

    /// The `reason` of a `LAUNCH_ERROR`.
    public enum LaunchError: Sendable, Hashable {
        /// The device doesn't know the app, or can't load it.
        case notFound
        /// The owner of the device doesn't allow it.
        case notAllowed
        /// The device is just leaving another app, or somebody cancelled it.
        case cancelled
        case other(String?)
    }

    /// The `detailedErrorCode` of a `LOAD_FAILED`, in groups with the same remedy.
    public enum LoadError: Sendable, Hashable {
        /// The device can't fetch the media.
        case unreachable(Int)
        /// The device can't decode it.
        case undecodable(Int)
        /// The device doesn't say whether it can't fetch the media or can't open it.
        case unsupported(Int)
        /// Other media was loaded.
        case replaced
        case other(Int?)
    }

    /// Creates a refusal from an answer.
    init(_ type: String, _ json: JSON) {
        let reason = json["reason"]?.string
        self =
            switch type {
            case "LAUNCH_ERROR": .launch(LaunchError(reason))
            case "LOAD_FAILED": .load(json["detailedErrorCode"]?.integer.map(LoadError.init) ?? .other(nil))
            case "LOAD_CANCELLED": .load(.replaced)
            default: .refused(type, reason: reason)
            }
    }
}

extension CastRefusal.LaunchError {
    public init(_ reason: String?) {
        self =
            switch reason {
            case "NOT_FOUND": .notFound
            case "NOT_ALLOWED", "USER_NOT_ALLOWED": .notAllowed
            case "CANCELLED": .cancelled
            default: .other(reason)
            }
    }
}

extension CastRefusal.LoadError {
    /// Source: `DetailedErrorCode` of the Web Receiver SDK.
    public init(_ code: Int) {
        self =
            switch code {
            case 102, 322, 323: .undecodable(code)
            case 104: .unsupported(code)
            // Network and playlist errors of media, HLS, DASH and Smooth Streaming.
            case 103, 301, 311...316, 321, 411, 412, 421...423, 431...433: .unreachable(code)
            default: .other(code)
            }
    }
}

/// The reason for refusing a push, with the status and reason of APNs.
///
/// Source: "Handling notification responses from APNs", Apple. ``badPayload(_:)`` is specific to this gateway. APNs
/// accepts and drops such pushes.
package enum PushRejection: Error, Sendable, Hashable {
    case badCollapseID, badDeviceToken, badExpirationDate, badMessageID, badPath, badPriority, badTopic
    case deviceTokenNotForTopic, expiredProviderToken, invalidProviderToken, invalidPushType, methodNotAllowed
    case missingDeviceToken, missingProviderToken, missingTopic, payloadEmpty, payloadTooLarge
    /// The payload isn't valid, with the problem in one sentence.
    case badPayload(String)
    /// Since when, in seconds since 1970.
    case unregistered(since: Int64)
    /// Too many provider tokens of the sender were refused: seconds to wait.
    case tooManyRequests(wait: Int)
    /// The gateway failed.
    case internalServerError
    /// The daemon can't be reached, or can't store the push.
    case serviceUnavailable

    /// HTTP status.
    package var status: Int {
        switch self {
        case .expiredProviderToken, .invalidProviderToken, .missingProviderToken: 403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable: 503
        default: 400
        }
    }

    package var reason: String {
        switch self {
        case .badCollapseID: "BadCollapseId"
        case .badDeviceToken: "BadDeviceToken"
        case .badExpirationDate: "BadExpirationDate"
        case .badMessageID: "BadMessageId"
        case .badPath: "BadPath"
        case .badPayload: "BadPayload"
        case .badPriority: "BadPriority"
        case .badTopic: "BadTopic"
        case .deviceTokenNotForTopic: "DeviceTokenNotForTopic"
        case .expiredProviderToken: "ExpiredProviderToken"
        case .internalServerError: "InternalServerError"
        case .invalidProviderToken: "InvalidProviderToken"
        case .invalidPushType: "InvalidPushType"
        case .methodNotAllowed: "MethodNotAllowed"
        case .missingDeviceToken: "MissingDeviceToken"
        case .missingProviderToken: "MissingProviderToken"
        case .missingTopic: "MissingTopic"
        case .payloadEmpty: "PayloadEmpty"
        case .payloadTooLarge: "PayloadTooLarge"
        case .serviceUnavailable: "ServiceUnavailable"
        case .tooManyRequests: "TooManyRequests"
        case .unregistered: "Unregistered"
        }
    }

    /// Seconds after which it may go well; `nil`: never, or unknown.
    package var retryAfter: Int? {
        switch self {
        case .serviceUnavailable: 1
        case .tooManyRequests(let wait): wait
        default: nil
        }
    }

    /// The body of the response: JSON with `reason`, `timestamp` in milliseconds since 1970 for 410, and `detail` if
    /// there is more information.
    package var body: String {
        switch self {
        case .unregistered(let since):
            "{\"reason\":\"\(reason)\",\"timestamp\":\(since.multipliedReportingOverflow(by: 1000).partialValue)}"
        case .badPayload(let sentence): "{\"reason\":\"\(reason)\",\"detail\":\(Self.quoted(sentence))}"
        default: "{\"reason\":\"\(reason)\"}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20: quoted += " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

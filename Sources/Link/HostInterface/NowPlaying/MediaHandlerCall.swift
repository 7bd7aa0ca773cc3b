import DBus

/// What the daemon asks the owner of a media session, one case per method of `org.mdhost.MediaSessionHandler1`.
package enum MediaHandlerCall: Sendable, Hashable {
    case perform(MediaAction)
    case setRoles(isApplicationPrimary: Bool, isSystemPrimary: Bool)
    /// Pixels. Answered with an encoded picture.
    case artwork(id: String, width: Double, height: Double)
    /// Answered with the first frame, encoded, and the address of the video.
    case animatedArtwork(id: String, aspectRatio: String, width: Double, height: Double)
    /// `0.0...1.0`.
    case setDeviceVolume(device: String, level: Double)
    /// Upwards, or downwards where negative.
    case stepDeviceVolume(device: String, steps: Int32)

    package var member: String {
        switch self {
        case .perform: "Perform"
        case .setRoles: "SetRoles"
        case .artwork: "Artwork"
        case .animatedArtwork: "AnimatedArtwork"
        case .setDeviceVolume: "SetDeviceVolume"
        case .stepDeviceVolume: "StepDeviceVolume"
        }
    }

    /// In the order of the method's arguments.
    package func arguments() throws(DBusError) -> [DBusValue] {
        switch self {
        case .perform(let action): [try DBusDictionaryEncoder().encode(action)]
        case .setRoles(let isApplicationPrimary, let isSystemPrimary):
            [.boolean(isApplicationPrimary), .boolean(isSystemPrimary)]
        case .artwork(let id, let width, let height): [.string(id), .double(width), .double(height)]
        case .animatedArtwork(let id, let aspectRatio, let width, let height):
            [.string(id), .string(aspectRatio), .double(width), .double(height)]
        case .setDeviceVolume(let device, let level): [.string(device), .double(level)]
        case .stepDeviceVolume(let device, let steps): [.string(device), .int32(steps)]
        }
    }

    /// How long its owner may take.
    package var limit: Duration {
        switch self {
        case .artwork, .animatedArtwork: .seconds(10)
        default: .seconds(3)
        }
    }
}

/// What the owner answered; empty where a method answers nothing of the kind.
package struct MediaHandlerAnswer: Sendable, Hashable {
    package var bytes: [UInt8]
    package var text: String

    package init(_ reply: [DBusValue] = []) {
        bytes = reply.first?.asBytes ?? []
        text = reply.last?.asString ?? ""
    }
}

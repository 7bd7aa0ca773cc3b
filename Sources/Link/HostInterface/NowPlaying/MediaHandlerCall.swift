package import DBus

/// A call to the owner of a media session: one case for each method of `org.mdhost.MediaSessionHandler1`.
package enum MediaHandlerCall: Sendable, Hashable {
    case perform(MediaAction)
    case setRoles(isApplicationPrimary: Bool, isSystemPrimary: Bool)
    /// Requests an encoded picture, with a size in pixels.
    case artwork(id: String, width: Double, height: Double)
    /// Requests the encoded first frame and the URL of the video.
    case animatedArtwork(id: String, aspectRatio: String, width: Double, height: Double)
    /// Sets the volume, `0.0...1.0`.
    case setDeviceVolume(device: String, level: Double)
    /// Changes the volume by steps, negative for down.
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

    /// Returns the arguments in the order of the method.
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

    /// The time limit for the owner.
    package var limit: Duration {
        switch self {
        case .artwork, .animatedArtwork: .seconds(10)
        default: .seconds(3)
        }
    }
}

/// The owner's answer. Values that a method doesn't return are empty.
package struct MediaHandlerAnswer: Sendable, Hashable {
    package var bytes: [UInt8]
    package var text: String

    package init(_ reply: [DBusValue] = []) {
        bytes = reply.first?.asBytes ?? []
        text = reply.last?.asString ?? ""
    }
}

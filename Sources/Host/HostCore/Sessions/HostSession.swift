package import HostInterface

/// A playback on a device, from the request to its end.
package struct HostSession: Sendable, Hashable, Identifiable {
    package enum State: String, Sendable, Codable {
        case starting, active
        /// The device continues to play, but its extension or the daemon died: the session is being resumed.
        case reconnecting
        case ended, failed

        package var isOver: Bool { self == .ended || self == .failed }
    }

    /// A small number as text, unique in this run of the daemon. An adopted session keeps it.
    package let id: String
    /// The identifier of the device that plays; of a merged device, the part. Of several devices it is the leader,
    /// which can change.
    package var deviceID: String
    /// The device that people see, at the time of the report.
    package var entryID: String
    /// All devices that play, ``deviceID`` first; in reports, the devices that people see.
    package var members: [String]
    /// The source that the person requested. A local file keeps its `file:` URL.
    package let source: String
    /// The remote application's identifier; `nil` for the device's own player.
    package let application: String?
    /// The identifier of the app that started the session over its route; `nil` for a person.
    package var owner: String?
    /// The app's own name for its request, so that a repeated request doesn't begin twice; `nil` without.
    package var request: String?
    package var media: MediaInformation
    package var state = State.starting
    package var playback = PlaybackState()
    /// The quality of the delivery; `nil` for a device that fetches the media, and until its extension reports it.
    package var quality: DeliveryQuality?
    /// A Boolean value that indicates whether the extension gets live samples, and no URL.
    package var takesSamples = false
    /// A Boolean value that indicates whether the extension reported the start with a control object.
    package var hasControl = false
    package var error: HostError?
    /// The way in which the session ended; `nil` until then, after a failure, and if unknown.
    package var ending: SessionEnding?
    /// The name of the app or media that took its place on the device; `nil` if unknown.
    package var successor: String?
    /// A Boolean value that indicates whether another sender started it. Nothing here ends it, except a request to stop.
    package var isOthers = false

    package init(id: String, deviceID: String, source: String, application: String?, media: MediaInformation) {
        self.id = id
        self.deviceID = deviceID
        entryID = deviceID
        members = [deviceID]
        self.source = source
        self.application = application
        self.media = media
    }
}

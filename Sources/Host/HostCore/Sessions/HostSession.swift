import HostInterface

/// One playback on one device, from the request to its end.
package struct HostSession: Sendable, Hashable, Identifiable {
    package enum State: String, Sendable, Codable {
        case starting, active
        /// The device plays on, but its extension or the daemon died: it is being taken up again.
        case reconnecting
        case ended, failed

        package var isOver: Bool { self == .ended || self == .failed }
    }

    /// A small number as text, unique in this run of the daemon; what the next one takes up keeps it.
    package let id: String
    /// What plays it: one of the parts, where the device is made of several; of several devices the one that leads, so
    /// another one when that leaves.
    package var deviceID: String
    /// The device as people see it, at the time this was told.
    package var entryID: String
    /// Every device that plays it, ``deviceID`` first; as people see them where this is told.
    package var members: [String]
    /// What the person asked for; a local file stays a `file:` URL here.
    package let source: String
    /// The remote application's identifier; `nil` for the device's own player.
    package let application: String?
    /// Identifier of the app here that began it, over a route of its own; `nil` for what a person began.
    package var owner: String?
    /// The app's own name for its request, so that one that is repeated does not begin twice; `nil` without.
    package var request: String?
    package var media: MediaInformation
    package var state = State.starting
    package var playback = PlaybackState()
    /// `nil` for a device that fetches what it plays, and until its extension tells.
    package var quality: DeliveryQuality?
    package var error: HostError?

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

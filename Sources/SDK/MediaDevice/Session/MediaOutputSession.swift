import Foundation
import HostInterface

/// One output context: ties an activation, playback and data together. Made by the system.
public final class MediaOutputSession: Identifiable, Sendable {
    public let id: String

    /// The devices used together in it, in the order they were activated, each as it was last reported.
    ///
    /// One is among them from ``MediaDeviceExtension/activateDevice(_:session:for:)`` on, until
    /// ``MediaDeviceExtension/deactivateDevice(_:session:)`` or
    /// ``MediaDeviceRoutingManager/failedToActivateDevice(_:session:error:)``: in these it is not among them any more. Only on
    /// Linux.
    @MainActor public var devices: [MediaOutputDevice] { table?.devices(inSession: id) ?? [] }

    @MainActor private weak var table: DeviceTable?

    /// What the app told about the media it starts; `nil` before `startSession(_:identifier:url:)`, and in a session that
    /// started without a word. Only on Linux.
    @MainActor public internal(set) var mediaInformation: MediaInformation?

    /// Whether the host ended it; nothing is reported for it any more.
    @MainActor package internal(set) var isStopped = false

    @MainActor package init(id: String, in table: DeviceTable? = nil) {
        self.id = id
        self.table = table
    }

    /// What an app tells about the media it starts, for devices that want it beside the URL. Only on Linux.
    public struct MediaInformation: Sendable, Hashable {
        public let title: String?
        public let artist: String?
        public let artworkURL: URL?
        /// MIME type, e.g. `video/mp4`.
        public let contentType: String?
        /// Seconds.
        public let duration: TimeInterval?
        /// Seconds from the beginning where playback starts.
        public let startPosition: TimeInterval?

        /// For tests of an extension.
        public init(
            title: String? = nil, artist: String? = nil, artworkURL: URL? = nil, contentType: String? = nil,
            duration: TimeInterval? = nil, startPosition: TimeInterval? = nil
        ) {
            self.title = title
            self.artist = artist
            self.artworkURL = artworkURL
            self.contentType = contentType
            self.duration = duration
            self.startPosition = startPosition
        }

        /// Lengths and positions that are no finite time from 0 are left out.
        ///
        /// - Returns: `nil` where nothing is told.
        package init?(_ information: HostInterface.MediaInformation) {
            guard information != HostInterface.MediaInformation() else { return nil }
            func time(_ seconds: Double?) -> Double? { seconds.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } }
            self.init(
                title: information.title, artist: information.artist,
                artworkURL: information.artworkURL.flatMap { URL(string: $0) }, contentType: information.contentType,
                duration: time(information.duration), startPosition: time(information.startPosition))
        }
    }
}

public import Foundation
package import HostInterface
package import MediaReading
public import Observation

/// An output session, which connects an activation, playback and data. The system creates it.
public final class MediaOutputSession: Identifiable, Observable, Sendable {
    /// The identifier of the session.
    public let id: String

    /// The devices that the session uses together, in the order of their activation, each as last reported. Available
    /// on Linux only.
    ///
    /// A device is included from ``MediaDeviceExtension/activateDevice(_:session:for:)`` on. It is no longer included
    /// in calls of ``MediaDeviceExtension/deactivateDevice(_:session:)`` and after
    /// ``MediaDeviceRoutingManager/failedToActivateDevice(_:session:error:)``.
    @MainActor public var devices: [MediaOutputDevice] { table?.devices(inSession: id) ?? [] }

    @MainActor private weak var table: DeviceTable?

    /// The app's information about the media; `nil` before `startSession(_:identifier:url:)`, and if the app gives
    /// none. Available on Linux only.
    ///
    /// It changes while samples are delivered, when the program that plays them shows another title on the desktop. Observe
    /// it with `Observations` or `withObservationTracking(_:onChange:)` to show the change on the device.
    @MainActor public internal(set) var mediaInformation: MediaInformation? {
        get {
            registrar.access(self, keyPath: \.mediaInformation)
            return information
        }
        set {
            guard newValue != information else { return }
            registrar.withMutation(of: self, keyPath: \.mediaInformation) { information = newValue }
        }
    }

    @MainActor private var information: MediaInformation?
    private let registrar = ObservationRegistrar()

    /// The live samples of the session; `nil` if none are delivered.
    @MainActor package internal(set) var samples: SampleSocket?

    /// The live video of the session; `nil` if none is delivered.
    @MainActor package internal(set) var video: VideoSocket?

    /// A Boolean value that indicates whether live video is delivered together with the samples, for a
    /// ``MediaVideoReader``: the screen of this computer. Available on Linux only.
    ///
    /// It is known in ``RealtimeSampleHandling/startRealtimeSampleDelivery(session:)``.
    @MainActor public var hasRealtimeVideo: Bool { video != nil }

    /// The readers of the session's media; `nil` without a host.
    @MainActor package var reader: MediaReaderSource?

    /// A Boolean value that indicates whether the host ended the session. Reports for it are ignored.
    @MainActor package internal(set) var isStopped = false

    @MainActor package init(id: String, in table: DeviceTable? = nil) {
        self.id = id
        self.table = table
    }

    /// An app's information about media, for devices that need more than the URL. Available on Linux only.
    public struct MediaInformation: Sendable, Hashable {
        /// The title; `nil` if the app gives none.
        public let title: String?
        /// The artist; `nil` if the app gives none.
        public let artist: String?
        /// The URL of the artwork; `nil` if the app gives none.
        public let artworkURL: URL?
        /// The MIME type, such as `video/mp4`; `nil` if the app gives none.
        public let contentType: String?
        /// The duration in seconds; `nil` if the app gives none.
        public let duration: TimeInterval?
        /// The position at which to start, in seconds from the beginning; `nil` for the beginning.
        public let startPosition: TimeInterval?
        /// The subtitles that are in files of their own.
        public let subtitles: [Subtitles]
        /// A Boolean value that indicates whether the media is sound that a program plays at the moment. Its URL is a WAVE
        /// stream without an end, which the host serves. Play it with as little delay as the device allows.
        public let isLiveSound: Bool
        /// Whether a person accepted any certificate of the HTTPS server that the media is on.
        package let acceptsAnyCertificate: Bool

        /// Creates information, for tests of an extension.
        public init(
            title: String? = nil, artist: String? = nil, artworkURL: URL? = nil, contentType: String? = nil,
            duration: TimeInterval? = nil, startPosition: TimeInterval? = nil, subtitles: [Subtitles] = [],
            isLiveSound: Bool = false
        ) {
            self.init(
                title: title, artist: artist, artworkURL: artworkURL, contentType: contentType, duration: duration,
                startPosition: startPosition, subtitles: subtitles, isLiveSound: isLiveSound,
                acceptsAnyCertificate: false)
        }

        package init(
            title: String?, artist: String?, artworkURL: URL?, contentType: String?, duration: TimeInterval?,
            startPosition: TimeInterval?, subtitles: [Subtitles] = [], isLiveSound: Bool = false,
            acceptsAnyCertificate: Bool
        ) {
            self.isLiveSound = isLiveSound
            self.subtitles = subtitles
            self.acceptsAnyCertificate = acceptsAnyCertificate
            self.title = title
            self.artist = artist
            self.artworkURL = artworkURL
            self.contentType = contentType
            self.duration = duration
            self.startPosition = startPosition
        }

        /// Creates information from the form that crosses the link. Impossible times are omitted.
        ///
        /// - Returns: `nil` if there is no information.
        package init?(_ information: HostInterface.MediaInformation) {
            guard information != HostInterface.MediaInformation() else { return nil }
            func time(_ seconds: Double?) -> Double? {
                seconds.flatMap { HostInterface.MediaInformation.times.contains($0) ? $0 : nil }
            }
            self.init(
                title: information.title, artist: information.artist,
                artworkURL: information.artworkURL.flatMap { URL(string: $0) }, contentType: information.contentType,
                duration: time(information.duration), startPosition: time(information.startPosition),
                subtitles: (information.subtitles ?? []).prefix(16).compactMap { subtitles in
                    URL(string: subtitles.url).map {
                        Subtitles(url: $0, name: subtitles.name, language: subtitles.language)
                    }
                },
                isLiveSound: information.isLiveSound == true,
                acceptsAnyCertificate: information.acceptsAnyCertificate == true)
        }
    }
    /// Subtitles in a WebVTT file, which the device can open. Available on Linux only.
    public struct Subtitles: Sendable, Hashable {
        /// The URL of the file.
        public let url: URL
        /// The name for people.
        public let name: String
        /// The language as a BCP 47 code; `nil` if unknown.
        public let language: String?

        /// Creates subtitles, for tests of an extension.
        public init(url: URL, name: String, language: String? = nil) {
            self.url = url
            self.name = name
            self.language = language
        }
    }
}

package import Foundation
package import HostInterface

/// The data needed to resume a session after its extension or the daemon died during playback.
///
/// Stored before the device is asked to play, so that nothing plays that the next daemon does not know of.
package struct AdoptableSession: Codable, Sendable, Hashable, Identifiable {
    /// The session keeps it.
    package let id: String
    /// The last description of the device. The next daemon contacts the device before it discovers it.
    package var device: DeviceDescription
    /// The other devices that play; `nil` for none.
    package var others: [DeviceDescription]?
    /// `CFBundleIdentifier`.
    package let extensionIdentifier: String
    /// The source that the person requested.
    package let source: String
    /// The URL that the device was given. It differs from ``source`` for a local file.
    package let url: String
    package let application: String?
    /// The owner; see ``HostSession/owner``.
    package let owner: String?
    /// As ``HostSession/request``.
    package let request: String?
    package let media: MediaInformation
    /// The token by which the extension recognizes the playback; `nil` for none.
    package var token: Data?
    package let servedFile: ServedFile?
    /// The place in a medium that the daemon itself delivers; `nil` if the device or its extension reads the medium.
    package var delivered: DeliveredPlace?

    /// A Boolean value that indicates whether the next daemon can adopt the session. A stream ends with its daemon.
    var outlivesDaemon: Bool { source != PlaybackSource.streamAddress }

    package init(
        id: String, device: DeviceDescription, others: [DeviceDescription]? = nil, extensionIdentifier: String,
        source: String, url: String, application: String?, owner: String? = nil, request: String? = nil,
        media: MediaInformation, token: Data? = nil,
        servedFile: ServedFile? = nil
    ) {
        self.id = id
        self.device = device
        self.others = others
        self.extensionIdentifier = extensionIdentifier
        self.source = source
        self.url = url
        self.application = application
        self.owner = owner
        self.request = request
        self.media = media
        self.token = token
        self.servedFile = servedFile
    }
}

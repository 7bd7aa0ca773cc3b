import Foundation
import HostInterface

/// A session as it has to be known to be taken up again where its extension or the daemon died while it played.
///
/// Stored before the device is asked to play, so that nothing plays that the next daemon does not know of.
package struct AdoptableSession: Codable, Sendable, Hashable, Identifiable {
    /// The session keeps it.
    package let id: String
    /// As last described: the next daemon reaches the device before it has found it.
    package var device: DeviceDescription
    /// Those that play it together with ``device``; `nil` where there are none.
    package var others: [DeviceDescription]?
    /// `CFBundleIdentifier`.
    package let extensionIdentifier: String
    /// What the person asked for.
    package let source: String
    /// What the device was given; another one than ``source`` for a local file.
    package let url: String
    package let application: String?
    /// As ``HostSession/owner``.
    package let owner: String?
    /// As ``HostSession/request``.
    package let request: String?
    package let media: MediaInformation
    /// What the extension needs to know this playback again; `nil` where it needs nothing.
    package var token: Data?
    package let servedFile: ServedFile?

    /// Whether the next daemon could take it up: a stream ends with the daemon it was handed to.
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

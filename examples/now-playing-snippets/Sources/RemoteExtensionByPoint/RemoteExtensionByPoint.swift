import ExtensionFoundation
import NowPlaying
import Observation
import RemoteAttributes

/// The same shape as short as it can be, with the extension point named in the source.
@main
final class RemoteExtensionByPoint: @MainActor RemoteMediaSessionExtension {
    required init() {}

    var configuration: some AppExtensionConfiguration { RemoteMediaSessionExtensionConfiguration(extension: self) }

    var extensionPoint: AppExtensionPoint {
        AppExtensionPoint.Identifier(host: "com.apple.nowplaying", name: "remote-media")
    }

    func session(_ attributes: SpeakerAttributes) async throws -> PlainSession { PlainSession(attributes) }
}

/// A plain class: its isolation comes from the protocol.
@Observable
final class PlainSession: RemoteMediaSessionRepresentable {
    let id: String
    var attributes: SpeakerAttributes

    init(_ attributes: SpeakerAttributes) {
        id = attributes.id
        self.attributes = attributes
    }

    var content: (any MediaContentRepresentable)? { nil }
    var playbackSnapshot: MediaPlaybackSnapshot? { nil }
    var commands: [MediaCommand] { [] }
    var devices: [MediaDevice] { [] }

    func update(_ attributes: SpeakerAttributes) { self.attributes = attributes }
}

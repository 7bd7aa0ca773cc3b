import ExtensionFoundation
import Foundation
import NowPlaying
import Observation
import RemoteAttributes

/// Represents the app's sessions, whether that runs or not. Its `Info.plist` names the extension point.
@main
struct RemoteExtension: @MainActor RemoteMediaSessionExtension {
    init() {}

    var configuration: RemoteMediaSessionExtensionConfiguration<RemoteExtension> {
        RemoteMediaSessionExtensionConfiguration(extension: self)
    }

    func session(_ attributes: SpeakerAttributes) async throws -> SpeakerSession {
        guard attributes.track != nil else { throw NothingToShow() }
        return SpeakerSession(attributes)
    }
}

struct NothingToShow: Error {}

/// One session: stores its attributes, and sends people's commands to the player.
@MainActor
@Observable
final class SpeakerSession: @MainActor RemoteMediaSessionRepresentable {
    let id: String
    private var attributes: SpeakerAttributes

    init(_ attributes: SpeakerAttributes) {
        id = attributes.id
        self.attributes = attributes
        Task { [weak self] in
            guard let updates = self?.pushTokenUpdates else { return }
            for await token in updates { await SpeakerServer.shared.send(token) }
        }
    }

    var content: (any MediaContentRepresentable)? {
        guard let track = attributes.track else { return nil }
        return MusicContent(
            id: track.id, songTitle: track.title, artistName: track.artist, albumName: track.album, type: .audio,
            duration: .finite(track.duration), artwork: nil)
    }

    var playbackSnapshot: MediaPlaybackSnapshot? {
        MediaPlaybackSnapshot(
            state: attributes.isPlaying ? .playing() : .paused, elapsedTime: attributes.position,
            timestamp: attributes.date)
    }

    var commands: [MediaCommand] {
        [
            .play { [weak self] in await self?.send(.play) },
            .pause { [weak self] in await self?.send(.pause) },
            .next { [weak self] in await self?.send(.next) }.enabled(attributes.isPlaying),
        ]
    }

    var devices: [MediaDevice] {
        attributes.speakers.map { speaker in
            let volume = MediaDevice.Capability.absoluteVolume(speaker.volume) { [weak self] level in
                await self?.send(.volume(speaker.id, level))
            }
            let steps = MediaDevice.Capability.relativeVolume(
                onIncrement: { [weak self] in await self?.send(.volume(speaker.id, speaker.volume + 0.05)) },
                onDecrement: { [weak self] in await self?.send(.volume(speaker.id, speaker.volume - 0.05)) })
            return MediaDevice(
                id: speaker.id, name: speaker.name, type: speaker.type,
                capabilities: speaker.type == .speaker ? [volume] : [steps])
        }
    }

    func update(_ attributes: SpeakerAttributes) { self.attributes = attributes }

    private func send(_ order: SpeakerServer.Order) async {
        attributes = await SpeakerServer.shared.perform(order, attributes)
    }
}

/// The player's server, here without a real one.
actor SpeakerServer {
    static let shared = SpeakerServer()

    enum Order: Sendable {
        case play, pause, next
        case volume(String, Float)
    }

    func send(_ token: Data) { FileHandle.standardError.write(Data("a token of \(token.count) bytes\n".utf8)) }

    func perform(_ order: Order, _ attributes: SpeakerAttributes) -> SpeakerAttributes {
        var attributes = attributes
        switch order {
        case .play: attributes.isPlaying = true
        case .pause: attributes.isPlaying = false
        case .next:
            attributes.track = .init(id: "2", title: "Second", artist: "Artist", album: "Album", duration: 120)
            attributes.position = 0
        case .volume(let speaker, let level):
            for index in attributes.speakers.indices where attributes.speakers[index].id == speaker {
                attributes.speakers[index].volume = min(1, max(0, level))
            }
        }
        attributes.date = .now
        return attributes
    }
}

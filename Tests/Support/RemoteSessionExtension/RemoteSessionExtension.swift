import ExtensionFoundation
import Foundation
import NowPlaying
import Observation

/// Represents the playback of `PublishingApp` on simulated devices, and prints its requests.
@main
struct RemoteSessionExtension: @MainActor RemoteMediaSessionExtension {
    struct Failure: LocalizedError {
        var errorDescription: String? { "The speaker is on fire." }
    }

    init() { log("made") }

    var configuration: some AppExtensionConfiguration { RemoteMediaSessionExtensionConfiguration(extension: self) }

    var extensionPoint: AppExtensionPoint {
        AppExtensionPoint.Identifier(host: "com.apple.nowplaying", name: "remote-media")
    }

    func session(_ attributes: RemoteAttributes) async throws -> RemoteSpeaker {
        log("session \(attributes.id) \(attributes.title)")
        if attributes.title == "fails" { throw Failure() }
        let speaker = RemoteSpeaker(attributes)
        Task {
            for await token in speaker.pushTokenUpdates {
                log("token \(speaker.id) \(token.map { String(format: "%02x", $0) }.joined())")
            }
        }
        return speaker
    }
}

struct RemoteAttributes: RemoteMediaSessionAttributes {
    var id: String
    var title: String
    var isPlaying = false
    var position = 0.0
    var since: Date?
    var levels: [Float] = []
    var picture: String?
}

/// The levels of the devices: a model of its own, whose changes are published as those of the representable.
@MainActor
@Observable
final class Mixer {
    var levels: [Float]

    init(_ levels: [Float]) { self.levels = levels }
}

@MainActor
@Observable
final class RemoteSpeaker: @MainActor RemoteMediaSessionRepresentable {
    let id: String
    private var attributes: RemoteAttributes
    @ObservationIgnored private let mixer: Mixer

    init(_ attributes: RemoteAttributes) {
        id = attributes.id
        self.attributes = attributes
        mixer = Mixer(attributes.levels)
    }

    var content: (any MediaContentRepresentable)? {
        guard !attributes.title.isEmpty else { return nil }
        return MusicContent(
            id: attributes.title, songTitle: attributes.title, artistName: "Artist", albumName: "", type: .audio,
            duration: .finite(240), artwork: artwork)
    }

    /// A picture by its first bytes.
    private var artwork: Artwork? {
        attributes.picture.map { id in
            Artwork(id: id) { size in
                log("artwork \(id) \(Int(size.width))x\(Int(size.height))")
                return try ArtworkRepresentation(data: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 7]))
            }
        }
    }

    var playbackSnapshot: MediaPlaybackSnapshot? {
        MediaPlaybackSnapshot(
            state: attributes.isPlaying ? .playing() : .paused, elapsedTime: attributes.position,
            timestamp: attributes.since)
    }

    var commands: [MediaCommand] {
        [
            .play { await self.act("play") { $0.isPlaying = true } },
            .pause { await self.act("pause") { $0.isPlaying = false } },
            .next { throw RemoteSessionExtension.Failure() },
            .stop { _exit(7) },
            .seekToPosition { position in await self.act("seek \(position)") { $0.position = position } },
        ]
    }

    var devices: [MediaDevice] {
        mixer.levels.enumerated().map { index, level in
            // A level below zero is not known: the device only has louder and quieter.
            let steps = MediaDevice.Capability.relativeVolume(
                onIncrement: { log("up \(index)") }, onDecrement: { log("down \(index)") })
            return MediaDevice(
                id: "speaker\(index)", name: ["Kitchen", "Bath", "Hall"][index % 3], type: .speaker,
                capabilities: level < 0
                    ? [steps]
                    : [
                        .absoluteVolume(level) { level in
                            await MainActor.run {
                                log("level \(index) \(level)")
                                self.mixer.levels[index] = level
                            }
                        }, steps,
                    ])
        }
    }

    func update(_ attributes: RemoteAttributes) {
        log("update \(attributes.title)")
        self.attributes = attributes
        mixer.levels = attributes.levels
    }

    private func act(_ name: String, _ change: (inout RemoteAttributes) -> Void) async {
        log("command \(name)")
        change(&attributes)
    }
}

/// For the extension's log, line by line.
func log(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

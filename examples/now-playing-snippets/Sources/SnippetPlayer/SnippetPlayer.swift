import Foundation
import Publishing
import PublishingRemote
import RemoteAttributes

/// Runs the snippets, so that they can be seen and controlled from outside. Reads orders, a line each: `play`, `unload` and
/// `end` for local playback, `remote`, `remote-next`, `remote-foreign` and `remote-end` for remote playback.
@main
@MainActor
enum SnippetPlayer {
    static func main() async throws {
        let (model, local, remote) = (PlayerModel(), NowPlayingController(), RemoteController())
        await local.begin(model)
        tell("begun \(local.message)")
        var attributes = SpeakerAttributes(
            id: "kitchen",
            track: .init(id: "1", title: "First", artist: "Artist", album: "Album", duration: 200))
        attributes.speakers = [.init(id: "k", name: "Kitchen", type: .speaker, volume: 0.5)]
        for await order in orders() {
            switch order {
            case "play": try await model.play()
            case "unload": model.unload()
            case "end": local.end()
            case "remote": await remote.begin(attributes)
            case "remote-next":
                attributes.track?.title = "Third"
                attributes.isPlaying = true
                attributes.date = .now
                await remote.change(attributes)
            case "remote-foreign": await remote.change(SpeakerAttributes(id: "bath", track: nil))
            case "remote-end": try await remote.end()
            default: break
            }
            tell("did \(order) \(remote.message)")
        }
    }

    /// Prints a line without buffering.
    private static func tell(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func orders() -> AsyncStream<String> {
        AsyncStream { stream in
            Thread.detachNewThread {
                while let line = readLine() { stream.yield(line) }
                stream.finish()
            }
        }
    }
}

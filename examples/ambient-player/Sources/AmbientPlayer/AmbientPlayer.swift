import Foundation
import NowPlaying
import Observation
import Sounds

/// Plays a soundscape until it is ended with Ctrl-C; the desktop's media controls and media keys control it.
@main
@MainActor
enum AmbientPlayer {
    static func main() async {
        let name = CommandLine.arguments.dropFirst().first ?? Soundscape.rain.rawValue
        guard let soundscape = Soundscape(rawValue: name) else {
            print("usage: AmbientPlayer [\(Soundscape.allCases.map(\.rawValue).joined(separator: "|"))]")
            exit(64)
        }
        let model = AmbientModel(soundscape)
        let output = SoundOutput()
        print(output.start().map { "Playing by \($0)." } ?? "No sound: neither pw-cat, paplay nor aplay is installed.")
        // As long as this is held, the desktop shows a player.
        let session = MediaSession(model)
        model.play()
        await follow(model, session, output)
    }

    /// Keeps the sound and the terminal in step with the model.
    private static func follow(
        _ model: AmbientModel, _ session: MediaSession<AmbientModel>, _ output: SoundOutput
    ) async {
        while true {
            let (changes, change) = AsyncStream.makeStream(of: Void.self)
            withObservationTracking {
                output.play(model.isPlaying ? model.soundscape : nil)
                let place = session.isSystemPrimary ? ", media keys come here" : ""
                print("\(model.isPlaying ? "▶" : "‖") \(model.soundscape.title)\(place)")
            } onChange: {
                change.finish()
            }
            for await _ in changes {}
        }
    }
}

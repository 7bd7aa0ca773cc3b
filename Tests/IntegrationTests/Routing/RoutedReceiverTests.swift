import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// The routing article's story with the lab's receivers: a real app, and the receivers asked by other programs.
    @Suite struct RoutedReceiverTests {
        enum Receiver: String, CaseIterable {
            case dlna = "Living Room"
            case mpd = "Open Room"

            var `protocol`: String { self == .dlna ? "org.mdhost.protocol.dlna" : "org.mdhost.protocol.mpd" }
            var name: String { rawValue }
            var other: Receiver { self == .dlna ? .mpd : .dlna }

            func awaits(_ state: String) async throws {
                switch self {
                case .dlna:
                    let names = ["playing": "PLAYING", "paused": "PAUSED_PLAYBACK", "stopped": "STOPPED"]
                    let also = state == "stopped" ? "NO_MEDIA_PRESENT" : names[state] ?? ""
                    try await Renderer.livingRoom.awaitState(names[state] ?? "", also)
                case .mpd:
                    try await eventually("MPD: \(state)") { try await MusicServer.openRoom.state() == state }
                }
            }
        }

        @Test(arguments: Receiver.allCases) func theArticlesStory(_ receiver: Receiver) async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let app = try await RoutedApp.open(home, "--mode", "none", LabMedia.mp3)
                let second = try await RoutedApp.open(home, name: "Second", "--mode", "none", LabMedia.flac)
                app.type("start player")
                try await app.sees("session player: no route")

                try await home.succeed("route", receiver.name, "--app", "Film App")
                let activated = try #require(app.events.first)
                #expect(activated.hasPrefix("activate \(receiver.name), \(receiver.protocol), "), "\(activated)")
                try await app.sees("route channel: ")
                app.type("start player")
                try await app.sees("session player: started, no channel")
                try await app.sees("plays")
                try await receiver.awaits("playing")
                app.type("pause")
                try await app.sees("does not play")
                try await receiver.awaits("paused")
                app.type("play")
                try await receiver.awaits("playing")
                // The app gets the reason for a request that the device doesn't support.
                app.type("faster")
                try await app.sees("refused: This device plays at one speed.")
                // This device has no such application.
                app.type("start application")
                try await app.sees("session application: Add \(receiver.protocol) to MDESupportedProtocols")

                // A second app while the first plays, then a second session of the first.
                let refused = try await home.run("route", receiver.name, "--app", "Second")
                #expect(refused.status == 1, "\(refused)")
                #expect(refused.errors.contains("Film App plays on \(receiver.name)"), "\(refused)")
                let status = try await home.succeed("status", receiver.name)
                #expect(status.contains("used by     Film App"), "\(status)")
                app.type("start player")
                try await app.sees("ended: Another session replaced it.")
                try await app.sees("session player: started, no channel", times: 2)
                #expect(try await home.sessions().count == 1)

                // Its extension and then the daemon die.
                try await home.killExtension(try await home.device(receiver.name).extension)
                try await plays(receiver, home)
                let daemon = try #require(home.daemon)
                kill(daemon, SIGKILL)
                try await eventually("the next daemon") { home.daemon != daemon }
                try await app.isKnown(home)
                try await second.isKnown(home)
                try await plays(receiver, home)
                app.type("same")
                try await app.sees("same: yes, \(receiver.name), no error")
                #expect(app.events == [activated])
                try await receiver.awaits("playing")

                // Another device is picked, the old one is let go first; then the second app gets the first device.
                _ = try await home.discover()
                try await home.succeed("route", receiver.other.name, "--app", "Film App")
                try await receiver.awaits("stopped")
                #expect(
                    app.events.map { $0.prefix { $0 != "," } } == [
                        "activate \(receiver.name)", "deactivate \(receiver.name)", "activate \(receiver.other.name)",
                    ])
                try await home.succeed("route", receiver.name, "--app", "Second")
                second.type("start player")
                try await second.sees("plays")
                try await receiver.awaits("playing")
                try await home.succeed("route", receiver.name, "--off")
                try await receiver.awaits("stopped")
                #expect(
                    second.events.map { $0.prefix { $0 != "," } } == [
                        "activate \(receiver.name)", "deactivate \(receiver.name)",
                    ])
                try await home.succeed("route", receiver.other.name, "--off")
                #expect(app.events.count == 4 && app.events.last == "deactivate \(receiver.other.name)")
                await second.quit()
                await app.quit()
            }
        }

        private func plays(_ receiver: Receiver, _ home: Household) async throws {
            try await home.session(on: receiver.name, "plays again", within: .seconds(30)) {
                $0.state == "active" && $0.playback.isPlaying
            }
        }
    }
}

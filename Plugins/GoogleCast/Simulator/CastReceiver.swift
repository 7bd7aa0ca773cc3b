import ArgumentParser
import Avahi
import Crypto
import Foundation
import GoogleCastProtocol

/// A simulated Google Cast device, for tests with this and other senders.
@main
struct CastReceiver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "CastReceiver", abstract: "Run a simulated Google Cast device.",
        discussion: "Writes each event as one JSON object to standard output.")

    @Option(help: "Name for people.") var name = "Simulated Cast"
    @Option(help: "Numeric address to listen on; by default all of IPv4 and IPv6.") var address = "::"
    @Option(help: "Port; senders take another one than 8009 for a group.") var port = 8009
    @Option(help: "Kind of volume: attenuation, fixed or master.") var volume = CastVolume.Control.attenuation
    @Option(help: "Simulated failure.") var fail: ReceiverSettings.Failure?
    @Option(help: "Error code of refused media.") var loadError = 104
    @Flag(help: "Be a loudspeaker without a screen.") var audioOnly = false
    @Flag(help: "Be a group of loudspeakers.") var group = false
    @Flag(help: "Add audio and subtitle tracks to all media.") var tracks = false

    func run() async throws {
        var settings = ReceiverSettings()
        settings.volume = volume
        settings.step = volume == .master ? 0.1 : 0.05
        settings.failure = fail
        settings.loadError = loadError
        settings.hasTracks = tracks
        settings.run = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        let output = FileHandle.standardOutput
        let show: @Sendable (ReceiverEvent) -> Void = { event in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            if let line = try? encoder.encode(event) { output.write(line + Data("\n".utf8)) }
        }
        let server = ReceiverServer(settings, show: show)
        try await server.run(address: address, port: port) { port in
            let publisher = try AvahiPublisher(announcement(port))
            await publisher.start()
            for await state in publisher.states {
                if case .failed(let error) = state { throw ValidationError("It can't be announced: \(error.message).") }
                if case .published = state { break }
            }
            show(.ready(port: port))
            // The announcement lasts as long as its publisher.
            await Announcement.current.keep(publisher)
        }
    }

    private func announcement(_ port: Int) -> AvahiPublisher.Service {
        // Always the same for a name.
        let identifier = SHA256.hash(data: Data(name.utf8)).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        let capabilities = 4 | (group ? 32 : audioOnly ? 0 : 1)
        let model = group ? "Google Cast Group" : audioOnly ? "Google Home" : "Chromecast"
        return AvahiPublisher.Service(
            name: "Simulated-" + identifier, type: "_googlecast._tcp", port: UInt16(clamping: port),
            txt: [
                "id": identifier, "fn": name, "md": model, "ve": "05",
                "ca": String(capabilities), "st": "0", "ic": "/setup/icon.png", "rs": "",
            ])
    }
}

private actor Announcement {
    static let current = Announcement()
    private var publisher: AvahiPublisher?

    func keep(_ publisher: AvahiPublisher) { self.publisher = publisher }
}

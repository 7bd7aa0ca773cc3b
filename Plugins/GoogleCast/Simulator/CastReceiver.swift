import ArgumentParser
import Foundation
import GoogleCastProtocol
import ReferenceReceiver

/// A simulated Google Cast device or group, for `mdhost demo --cast` and for tests with this and other senders.
@main
struct CastReceiver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mdhost-demo-cast", abstract: "Run a simulated Google Cast device.",
        discussion: "Writes each event as one JSON object to standard output.")

    @Option(help: "Name for people.") var name = "Simulated Cast"
    @Option(help: "Numeric address to listen on; by default all of IPv4 and IPv6.") var address = "::"
    @Option(help: "Port; by default 8009, or any for a group: some senders tell them apart by it.") var port: Int?
    @Option(help: "Network interface to announce it on; by default all.") var interface: String?
    @Option(help: "Kind of volume: attenuation, fixed or master.") var volume = CastVolume.Control.attenuation
    @Option(help: "Simulated failure.") var fail: ReceiverSettings.Failure?
    @Option(help: "Error code of refused media.") var loadError = 104
    @Option(help: "Reason of a refused start of an app.") var launchError = "NOT_ALLOWED"
    @Flag(help: "Be a loudspeaker without a screen.") var audioOnly = false
    @Flag(help: "Be a group of loudspeakers.") var group = false
    @Option(help: "Name of a loudspeaker in the group, which is simulated as well.") var member: [String] = []
    @Option(help: "File for the certificate with which senders can check the device's signature.")
    var authority: String?
    @Option(help: "Percentage of the packets of live sound and pictures to lose.") var loss = 0.0
    @Option(help: "File for the samples of live sound: 16 bit, stereo, 48,000 Hz.") var record: String?
    @Option(help: "File for live pictures: a byte stream of H.264, or VP8 in IVF.") var recordPictures: String?
    @Flag(help: "Add audio and subtitle tracks to all media.") var tracks = false
    @Flag(help: "Serve a sample to play.") var sample = false
    @Flag(help: "Write text for people instead of JSON.") var text = false

    func validate() throws {
        guard member.isEmpty || group else { throw ValidationError("Only a group has members.") }
        guard 0...100 ~= loss else { throw ValidationError("A percentage is 0 to 100.") }
        guard Set(member + [name]).count == member.count + 1 else { throw ValidationError("Names must differ.") }
    }

    func run() async throws {
        // Being switched off is no failure.
        let signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { Foundation.exit(0) }
            source.resume()
            return source
        }
        defer { for source in signals { source.cancel() } }
        let output = FileHandle.standardOutput
        let show: @Sendable (String, ReceiverEvent) -> Void = { [text, name] device, event in
            if text {
                guard let line = event.text else { return }
                output.write(Data(((device == name ? "" : device + ": ") + line + "\n").utf8))
            } else if device == name, let line = try? Self.encoder.encode(event) {
                output.write(line + Data("\n".utf8))
            }
        }
        let servers = member.map { name in
            (name, ReceiverServer(settings(), show: { show(name, $0) }))
        }
        var own = settings()
        own.authority = authority
        own.members = member.map { ReceiverMember(id: ReceiverAnnouncement.identifier($0), name: $0, level: own.level) }
        let leader = ReceiverServer(own, show: { show(name, $0) })
        for (name, server) in servers { await leader.add(server, id: ReceiverAnnouncement.identifier(name)) }
        try await withThrowingTaskGroup(of: Void.self) { work in
            for (name, server) in servers {
                work.addTask {
                    let announcement = ReceiverAnnouncement(name: name, kind: .speaker, interface: interface)
                    try await server.run(address: address, port: 0) { try await announcement.publish($0) }
                }
            }
            work.addTask {
                let announcement = ReceiverAnnouncement(
                    name: name, kind: group ? .group : audioOnly ? .speaker : .television, interface: interface)
                try await leader.run(address: address, port: port ?? (group ? 0 : 8009), orAny: port == nil) { port in
                    try await announcement.publish(port)
                    guard sample else { return show(name, .ready(name: name, port: port, sample: nil)) }
                    Task { try await serveSample { show(name, .ready(name: name, port: port, sample: $0)) } }
                }
            }
            try await work.next()
            work.cancelAll()
        }
    }

    private func serveSample(_ ready: @Sendable (String) -> Void) async throws {
        let host = address == "::" ? "127.0.0.1" : address
        try await SampleServer(address: host).run { port in
            let url = "http://\(host):\(port)/tone.wav"
            ready(url)
            guard text else { return }
            let invitation = """
                \(name) is on. Try in a second terminal:

                    mdhost discover
                    mdhost play "\(name)" \(url)

                Ctrl-C switches it off.

                """
            FileHandle.standardOutput.write(Data(invitation.utf8))
        }
    }

    private func settings() -> ReceiverSettings {
        var settings = ReceiverSettings()
        settings.volume = volume
        settings.step = volume == .master ? 0.1 : 0.05
        settings.failure = fail
        settings.loadError = loadError
        settings.launchError = launchError
        settings.hasTracks = tracks
        settings.loss = loss / 100
        settings.recording = record
        settings.pictureRecording = recordPictures
        settings.hasScreen = !audioOnly && !group
        settings.run = String(UInt32.random(in: 0...UInt32.max), radix: 16)
        return settings
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

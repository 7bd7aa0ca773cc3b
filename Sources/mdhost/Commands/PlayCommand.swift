import ArgumentParser
import Foundation
import HostClient
import HostInterface

struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play a URL or a local file on a device.",
        discussion: """
            With --with it plays on several devices, in step if they support it: mdhost play Kitchen --with Bath song.mp3. \
            Without, it plays on the device and its group (mdhost group).

            While it plays: space pauses, ← and → move 10 s, ↑ and ↓ change the volume, m mutes, d leaves it playing, \
            q or Ctrl-C stops it.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Argument(help: "URL that the device can open, or a file on this computer.", completion: .file())
    var media: String

    @Option(
        help: .init("Another device to play it on as well; repeat the option for more.", valueName: "device"),
        completion: .deviceNames)
    var with: [String] = []

    @Flag(help: "Return once it plays.")
    var detach = false

    @Option(help: .init("Protocol to use when the device supports several, such as MPD.", valueName: "protocol"))
    var via: String?

    @Option(help: .init("Where to start: seconds, m:ss or h:mm:ss.", valueName: "position"))
    var from: String?

    @Option(help: "Title to show on the device.")
    var title: String?

    @Option(help: "Artist to show on the device.")
    var artist: String?

    @Option(help: .init("Address of a picture to show with it.", valueName: "url"))
    var artwork: String?

    @Option(help: "MIME type, if the URL doesn't show it.")
    var contentType: String?

    @Flag(help: "Accept any certificate of the server from now on (AirPlay and Bluetooth).")
    var acceptCertificate = false

    func validate() throws {
        if let from, ClockTime.seconds(from) == nil {
            throw ValidationError("--from takes seconds, m:ss or h:mm:ss, not “\(from)”.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            // An address that no device can open is refused without a daemon.
            _ = try MediaSource.url(media, isDeviceHere: true)
            var connection = try await HostConnection()
            var devices: [ClientDevice] = []
            devices.append(try await connection.device(named: device, via: via))
            for name in with { devices.append(try await connection.device(named: name)) }
            let url = try MediaSource.url(
                media,
                isDeviceHere: devices.enumerated().allSatisfy { index, device in
                    MediaSource.isHere(device.endpoints(via: index == 0 ? via : nil))
                })
            if acceptCertificate { try await connection.client.acceptCertificate(of: url.absoluteString) }
            let path = try await start(url, on: devices, &connection, output)
            let session = try await connection.session(at: path)
            connection = try await connection.follow(session, isDetached: detach, output)
            await connection.close()
        }
    }

    /// Starts playback; Ctrl-C meanwhile gives up, which ends the daemon's work on it with this connection.
    private func start(
        _ url: URL, on devices: [ClientDevice], _ connection: inout HostConnection, _ output: Output
    ) async throws -> String {
        let media = MediaInformation(
            title: title, artist: artist, artworkURL: artwork, contentType: contentType,
            startPosition: from.flatMap(ClockTime.seconds))
        connection.announce(devices, output)
        let paths = devices.map(\.path)
        return try await connection.answer { [client = connection.client, via] () throws(HostError) in
            try await client.play(
                url, on: paths[0], with: paths.count > 1 ? Array(paths.dropFirst()) : nil, media: media, via: via)
        }
    }
}

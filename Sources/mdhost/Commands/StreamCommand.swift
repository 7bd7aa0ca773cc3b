import ArgumentParser
import Foundation
import HostClient
import HostInterface

struct StreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream", abstract: "Play the output of another program on a device.",
        discussion: """
            Reads standard input: … | mdhost stream Kitchen. Playback starts as data arrives, and the writing program waits \
            while it is ahead. WAV, FLAC, MP3, Ogg and other formats with a header need no options; raw samples need \
            --format: arecord -f cd -t raw | mdhost stream Kitchen --format s16le --live. \
            MPD can't play a WAV stream of unknown length, so pipe FLAC or raw samples to it.

            While it plays, the keys of mdhost play work. --detach leaves it playing until the stream ends.
            """)

    private static let encodings = SampleFormat.Encoding.allCases.map(\.rawValue).joined(separator: ", ")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Option(
        help: .init("Another device to play it on as well; repeat the option for more.", valueName: "device"),
        completion: .deviceNames)
    var with: [String] = []

    @Flag(help: "Return once it plays.")
    var detach = false

    @Option(help: .init("Protocol to use when the device supports several, such as MPD.", valueName: "protocol"))
    var via: String?

    @Option(help: "Format of raw input: \(Self.encodings).")
    var format: String?

    @Option(help: "Sample rate of raw input, in Hz.")
    var rate = 44_100

    @Option(help: "Channels of raw input: 1 for mono, 2 for stereo.")
    var channels = 2

    @OptionGroup var wished: LatencyOption

    @Flag(help: "Leave out what was written before playback starts, as of a microphone.")
    var live = false

    @Option(help: "Title to show on the device.")
    var title: String?

    @Option(help: "Artist to show on the device.")
    var artist: String?

    @Option(help: "MIME type, if the stream doesn't show it.")
    var contentType: String?

    func validate() throws {
        guard format != nil || (wished.latency == nil && !live) else {
            throw ValidationError("Use --latency and --live with raw samples, which need --format.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            let samples = try format.map { encoding throws(HostError) in
                try SampleFormat(encoding: encoding, rate: rate, channels: channels)
            }
            let stream = try StandardInput.take()
            var connection = try await HostConnection()
            var devices: [ClientDevice] = []
            devices.append(try await connection.device(named: device, via: via))
            for name in with { devices.append(try await connection.device(named: name)) }
            let path = try await start(stream, samples, on: devices, &connection, output)
            // The daemon has its copy: only the daemon's end must keep the stream open for the writer.
            close(stream)
            let session = try await connection.session(at: path)
            connection = try await connection.follow(session, isDetached: detach, output)
            await connection.close()
        }
    }

    private func start(
        _ stream: Int32, _ samples: SampleFormat?, on devices: [ClientDevice], _ connection: inout HostConnection,
        _ output: Output
    ) async throws -> String {
        let media = MediaInformation(title: title, artist: artist, contentType: contentType)
        connection.announce(devices, output)
        let paths = devices.map(\.path)
        let latency = try wished.requested
        LatencyOption.tell(latency, devices, output)
        return try await connection.answer { [client = connection.client, via, live] () throws(HostError) in
            try await client.play(
                stream: stream, samples: samples, on: paths[0], with: paths.count > 1 ? Array(paths.dropFirst()) : nil,
                media: media, via: via, latency: latency, isLive: live)
        }
    }
}

import ArgumentParser
import Foundation
import HostClient
import HostInterface
import ScreenInterface

struct ScreenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen", abstract: "Show the screen of this computer on a device, with its sound.",
        discussion: """
            The desktop asks which screen or window to share. Without a desktop that can ask, the X display is shown as a \
            whole. Ctrl-C or q ends it, and so does the desktop's own control for shared screens. It takes the package \
            mdhost-screen and a device that plays video, such as Kodi, a Google Cast device or a DLNA television.

            Pictures that the device or the network can't take in time are left out, and the quality adapts.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Option(help: .init("Largest size of the picture.", valueName: "width x height"))
    var size = ScreenSize(width: 1280, height: 720)

    @Option(help: "Pictures a second at most.")
    var rate = 30

    @Option(
        help: .init(
            "Delay of the picture, for more reserve or less; without it as little as the protocol needs.",
            valueName: "seconds"))
    var buffer: Double?

    @Flag(help: "Show the picture without sound.")
    var noSound = false

    @Option(help: "X display to show, such as :0, instead of asking the desktop.")
    var display: String?

    @Option(help: .init("Protocol to use when the device supports several, such as Kodi.", valueName: "protocol"))
    var via: String?

    @Flag(
        help: """
            Show what was last selected with this option, without being asked. The first time, the desktop asks, and \
            whether it may be shown again.
            """)
    var again = false

    @Flag(help: "Return once the device shows the screen.")
    var detach = false

    func run() async throws {
        try await common.perform { output in
            try request(.stream, lead: buffer ?? 0).check()
            var connection = try await HostConnection()
            let device = try await connection.device(named: device, via: via)
            try Self.check(device)
            let form = form(for: device)
            let request = try request(form, lead: form == .samples ? 0 : buffer ?? lead(for: device))
            let latency = try buffer.map { buffer throws(HostError) in
                try RequestedLatency(seconds: max(RequestedLatency.range.lowerBound, buffer))
            }
            let screen = try ScreenChild(request)
            defer { screen.end() }
            let show = ScreenShow(screen: screen, device: device, output: output)
            let facts = try await show.begin(&connection)
            connection.announce([device], output)
            let path = try await connection.answer { [client = connection.client, via] () throws(HostError) in
                switch screen.capture {
                case .stream(let stream):
                    try await client.play(
                        stream: stream, samples: nil, on: device.path,
                        media: MediaInformation(title: Self.title, contentType: "video/mp2t"), via: via)
                case .samples(let video, let sound):
                    try await client.play(
                        video: video, sound: sound, width: facts.width, height: facts.height, frameRate: facts.rate,
                        on: device.path, media: MediaInformation(title: Self.title), via: via, latency: latency)
                }
            }
            screen.capture.close()
            let session = try await connection.session(at: path)
            connection = try await show.follow(session, connection, isDetached: detach)
            await connection.close()
        }
    }

    private static var title: String { "Screen of " + ProcessInfo.processInfo.hostName }

    private func request(_ form: ScreenRequest.Form, lead: Double) throws(HostError) -> ScreenRequest {
        ScreenRequest(
            form: form, display: display, width: size.width, height: size.height, rate: rate, hasSound: !noSound,
            lead: lead, permission: again ? try HostFolders.state() + "/screen-permission" : nil)
    }

    func validate() throws {
        guard !again || display == nil else {
            throw ValidationError("--again is for what the desktop shares; --display asks nobody.")
        }
    }

    /// The form for a device: samples if it, or the part that is asked for, takes video as samples.
    private func form(for device: ClientDevice) -> ScreenRequest.Form {
        device.capabilities(via: via).contains("realtime-video") ? .samples : .stream
    }

    /// The least reserve with which the device plays without a break, in seconds.
    private func lead(for device: ClientDevice) -> Double {
        let isKodi = (via ?? device.protocolName).lowercased() == "kodi"
        // Kodi fills its sound output for 0.9 s. If sound runs out meanwhile, it buffers eight seconds.
        return isKodi && !noSound ? 1 : 0
    }

    /// - Throws: ``HostError`` `not-supported` for a device that can't show a picture.
    private static func check(_ device: ClientDevice) throws(HostError) {
        guard device.capabilities.contains(where: ["url-playback", "realtime-video"].contains) else {
            throw HostError(
                .notSupported, "\(device.name) doesn't play video.",
                remedy: "Choose a device that plays video, such as Kodi, a Google Cast device or a DLNA television.")
        }
    }
}

/// A size on the command line: `1280x720`.
struct ScreenSize: ExpressibleByArgument {
    var width: Int
    var height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init?(argument: String) {
        let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self.init(width: width, height: height)
    }

    var defaultValueDescription: String { "\(width)x\(height)" }
}

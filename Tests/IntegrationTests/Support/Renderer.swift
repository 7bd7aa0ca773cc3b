import Foundation
import Testing

/// A UPnP media renderer asked directly, by `curl` and SOAP written here: an independent witness and a second controller.
struct Renderer: Sendable {
    let name: String
    private let transport: String
    private let rendering: String

    static let livingRoom = Renderer(
        name: "Living Room", transport: "http://10.77.0.1:49494/upnp/control/rendertransport1",
        rendering: "http://10.77.0.1:49494/upnp/control/rendercontrol1")

    /// Its port is another one each time it starts: the lab's own search tells.
    static func rygel() async throws -> Renderer {
        let script = LabHost.script + ".d/search-renderers"
        let result = try await Command.run([script, "9", "1.5"])
        let location = try #require(
            result.output.split(separator: "\n").first { $0.contains("//10.77.0.2:") }, "Rygel answers: \(result)")
        let base = location.split(separator: "/", maxSplits: 3).prefix(2).joined(separator: "//")
        return Renderer(
            name: "Audio/Video playback on lab-b", transport: base + "/Control/Playbin/RygelAVTransport",
            rendering: base + "/Control/Playbin/RygelRenderingControl")
    }

    // MARK: State

    /// `PLAYING`, `PAUSED_PLAYBACK`, `STOPPED`, `TRANSITIONING`, `NO_MEDIA_PRESENT`.
    func state() async throws -> String {
        try await ask(.transport, "GetTransportInfo", "CurrentTransportState")
    }

    /// Seconds.
    func position() async throws -> Double {
        let text = try await ask(.transport, "GetPositionInfo", "RelTime")
        return text.split(separator: ":").reduce(0) { $0 * 60 + (Double($1) ?? 0) }
    }

    func address() async throws -> String { try await ask(.transport, "GetMediaInfo", "CurrentURI") }

    /// 0…100.
    func volume() async throws -> Int {
        try #require(Int(try await ask(.rendering, "GetVolume", "CurrentVolume", "<Channel>Master</Channel>")))
    }

    func isMuted() async throws -> Bool {
        try await ask(.rendering, "GetMute", "CurrentMute", "<Channel>Master</Channel>") == "1"
    }

    func awaitState(_ states: String..., within limit: Duration = .seconds(10)) async throws {
        var last = ""
        do {
            try await eventually("\(name): \(states)", within: limit) {
                last = try await state()
                return states.contains(last)
            }
        } catch let error as WaitedInVain {
            throw WaitedInVain(description: "\(error); it is \(last)")
        }
    }

    // MARK: A second controller

    func pause() async throws { try await tell(.transport, "Pause") }
    func play() async throws { try await tell(.transport, "Play", "<Speed>1</Speed>") }
    func stop() async throws { try await tell(.transport, "Stop") }

    func seek(_ seconds: Int) async throws {
        let target = String(format: "0:%02d:%02d", seconds / 60, seconds % 60)
        try await tell(.transport, "Seek", "<Unit>REL_TIME</Unit><Target>\(target)</Target>")
    }

    func setVolume(_ level: Int) async throws {
        try await tell(.rendering, "SetVolume", "<Channel>Master</Channel><DesiredVolume>\(level)</DesiredVolume>")
    }

    func setMuted(_ isMuted: Bool) async throws {
        try await tell(.rendering, "SetMute", "<Channel>Master</Channel><DesiredMute>\(isMuted ? 1 : 0)</DesiredMute>")
    }

    // MARK: SOAP

    private enum Service: String { case transport = "AVTransport", rendering = "RenderingControl" }

    private func tell(_ service: Service, _ action: String, _ arguments: String = "") async throws {
        _ = try await call(service, action, arguments)
    }

    private func ask(
        _ service: Service, _ action: String, _ value: String, _ arguments: String = ""
    ) async throws -> String {
        let reply = try await call(service, action, arguments)
        let pattern = try Regex("<\(value)>([^<]*)</\(value)>", as: (Substring, Substring).self)
        return String(try #require(reply.firstMatch(of: pattern)?.1, "\(action): \(reply)"))
    }

    private func call(_ service: Service, _ action: String, _ arguments: String) async throws -> String {
        let type = "urn:schemas-upnp-org:service:\(service.rawValue):1"
        let body = """
            <?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" \
            s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body><u:\(action) xmlns:u="\(type)">\
            <InstanceID>0</InstanceID>\(arguments)</u:\(action)></s:Body></s:Envelope>
            """
        let result = try await Command.run([
            "/usr/bin/curl", "--silent", "--show-error", "--fail-with-body", "--max-time", "5",
            "--header", "Content-Type: text/xml; charset=\"utf-8\"", "--header", "SOAPACTION: \"\(type)#\(action)\"",
            "--data", body, service == .transport ? transport : rendering,
        ])
        try #require(result.status == 0, "\(name) \(action): \(result)")
        return result.output
    }
}

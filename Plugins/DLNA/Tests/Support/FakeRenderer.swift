import DeviceConnections
import Foundation
import Synchronization

@testable import DLNAExtension
@testable import DLNAProtocol

/// A renderer in memory: answers requests as a device would, remembers them, and fails as told.
final class FakeRenderer: DeviceTransport {
    struct State: Sendable {
        var transport = "STOPPED"
        var uri = ""
        var metadata = ""
        var volume = 20
        var isMuted = false
        var position = "0:00:00"
        var duration = "0:00:30"
        var sink = "http-get:*:audio/mpeg:*,http-get:*:audio/flac:*"
        /// Comes out of mute at level zero.
        var forgetsLevelWhenMuted = false
        /// Answers to come before the proper ones, by action.
        var failures: [String: [DeviceFailure]] = [:]
        var calls: [String] = []
        /// `[action: last arguments]`
        var arguments: [String: [String: String]] = [:]
        var documents: [String: [UInt8]] = [:]
        var headAnswer = DeviceAnswer(status: 200, headers: ["content-type": "audio/mpeg"], body: [])
    }

    private let state = Mutex(State())

    func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }
    var now: State { state.withLock { $0 } }
    var calls: [String] { state.withLock(\.calls) }
    func count(_ action: String) -> Int { calls.filter { $0 == action }.count }

    func send(_ request: DeviceRequest) async throws(DeviceFailure) -> DeviceAnswer {
        guard request.method == "POST" else { return try other(request) }
        let action: XMLElement
        do {
            let body = try XMLReader.parse(request.body ?? []).child("Body")
            action = body?.children.first ?? XMLElement(name: "")
        } catch {
            throw .unreadable(error)
        }
        let arguments = Dictionary(action.children.map { ($0.name, $0.text) }) { $1 }
        let result = state.withLock { Self.perform(action.name, arguments, &$0) }
        switch result {
        case .failure(.fault(let fault)): return Self.answer(fault)
        case .failure(let failure): throw failure
        case .success(let values): return Self.answer(action.name, values)
        }
    }

    private func other(_ request: DeviceRequest) throws(DeviceFailure) -> DeviceAnswer {
        let result = state.withLock { state -> Result<DeviceAnswer, DeviceFailure> in
            state.calls.append(request.method)
            if let failure = state.failures[request.method]?.first {
                state.failures[request.method]?.removeFirst()
                return .failure(failure)
            }
            if request.method == "HEAD" { return .success(state.headAnswer) }
            guard let document = state.documents[request.url.absoluteString] else {
                return .success(DeviceAnswer(status: 404, headers: [:], body: []))
            }
            return .success(DeviceAnswer(status: 200, headers: [:], body: document))
        }
        return try result.get()
    }

    private static func perform(
        _ action: String, _ arguments: [String: String], _ state: inout State
    ) -> Result<[String: String], DeviceFailure> {
        state.calls.append(action)
        state.arguments[action] = arguments
        if let failure = state.failures[action]?.first {
            state.failures[action]?.removeFirst()
            return .failure(failure)
        }
        switch action {
        case "SetAVTransportURI":
            state.uri = arguments["CurrentURI"] ?? ""
            state.metadata = arguments["CurrentURIMetaData"] ?? ""
        case "Play": state.transport = "PLAYING"
        case "Pause": state.transport = "PAUSED_PLAYBACK"
        case "Stop": state.transport = "STOPPED"
        case "Seek": state.position = arguments["Target"] ?? ""
        case "SetVolume": state.volume = Int(arguments["DesiredVolume"] ?? "") ?? state.volume
        case "SetMute":
            state.isMuted = arguments["DesiredMute"] == "1"
            if state.forgetsLevelWhenMuted { state.volume = 0 }
        case "GetVolume": return .success(["CurrentVolume": String(state.volume)])
        case "GetMute": return .success(["CurrentMute": state.isMuted ? "1" : "0"])
        case "GetTransportInfo":
            return .success(["CurrentTransportState": state.transport, "CurrentTransportStatus": "OK"])
        case "GetPositionInfo":
            return .success([
                "RelTime": state.position, "TrackDuration": state.duration, "TrackURI": state.uri,
                "TrackMetaData": state.metadata,
            ])
        case "GetMediaInfo": return .success(["CurrentURI": state.uri])
        case "GetProtocolInfo": return .success(["Source": "", "Sink": state.sink])
        default: return .failure(.fault(UPnPFault(code: 401)))
        }
        return .success([:])
    }

    private static func answer(_ action: String, _ values: [String: String]) -> DeviceAnswer {
        let body = values.map { "<\($0)>\(XMLText.escaped($1))</\($0)>" }.joined()
        return envelope(200, "<u:\(action)Response xmlns:u=\"urn:x\">\(body)</u:\(action)Response>")
    }

    private static func answer(_ fault: UPnPFault) -> DeviceAnswer {
        envelope(
            500,
            "<s:Fault><detail><UPnPError><errorCode>\(fault.code)</errorCode></UPnPError></detail></s:Fault>")
    }

    private static func envelope(_ status: Int, _ body: String) -> DeviceAnswer {
        DeviceAnswer(
            status: status, headers: [:],
            body: Array("<s:Envelope xmlns:s=\"s\"><s:Body>\(body)</s:Body></s:Envelope>".utf8))
    }
}

extension RendererDetails {
    /// A renderer with volume 0…100 that can seek.
    static func fake(formats: String = "http-get:*:audio/mpeg:*,http-get:*:audio/flac:*") throws -> RendererDetails {
        let base = URL(string: "http://192.0.2.9:80")!
        let service = { (name: String) in
            RendererDescription.Service(
                type: URN(kind: .service, name: name, version: 1), descriptionURL: base.appending(path: name),
                controlURL: base.appending(path: "\(name)/control"), eventURL: nil)
        }
        return RendererDetails(
            description: RendererDescription(
                deviceName: "uuid:12345678-1234-1234-1234-123456789abc",
                type: URN(kind: .device, name: "MediaRenderer", version: 1), friendlyName: "Kitchen", location: base,
                transport: service("AVTransport"), connections: service("ConnectionManager"),
                rendering: service("RenderingControl")),
            volume: VolumeScale(.init(minimum: 0, maximum: 100)), canMute: true, seekUnit: "REL_TIME",
            formats: SinkFormats(formats))
    }
}

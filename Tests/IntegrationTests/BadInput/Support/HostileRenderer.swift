import Foundation
import Synchronization

/// A valid DLNA renderer, except for the faults a test sets.
final class HostileRenderer: Sendable {
    /// The answer to a request.
    enum Answer: Sendable {
        case good
        case status(Int)
        /// A UPnP error.
        case fault(Int)
        /// The connection stays open without an answer.
        case silence
        /// The beginning of a good answer, then the end of the connection.
        case truncated
        /// Valid HTTP with a body that isn't SOAP.
        case garbage
        /// Something made for the case.
        case custom(@Sendable (HostileConnection) -> Void)
    }

    struct Manners: Sendable {
        var name: String
        /// Without `uuid:`.
        var identifier = UUID().uuidString.lowercased()
        var description = Answer.good
        /// The answers by action.
        var actions: [String: Answer] = [:]
        var subscription = Answer.good
        /// Events it sends at once after every subscription.
        var floodOfEvents = 0
    }

    private struct State {
        var transport = "STOPPED"
        var uri = ""
        var volume = "20"
        var counts: [String: Int] = [:]
        var subscriptions: Set<String> = []
        var eventsSent = 0
    }

    let manners: Manners
    private let state = Mutex(State())
    private let host: LabHost
    private let announcer: Announcer
    private let server = Mutex<HostileServer?>(nil)

    static func start(_ manners: Manners, on host: LabHost) async throws -> HostileRenderer {
        let renderer = HostileRenderer(manners, host, try await Announcer.start(on: host))
        let server = try await HostileServer.start(on: host) { [weak renderer] in renderer?.serve($0) }
        renderer.server.withLock { $0 = server }
        return renderer
    }

    private init(_ manners: Manners, _ host: LabHost, _ announcer: Announcer) {
        self.manners = manners
        self.host = host
        self.announcer = announcer
    }

    var port: UInt16 { server.withLock { $0?.port ?? 0 } }
    var openConnections: Int { server.withLock { $0?.openCount ?? 0 } }
    var location: String { "http://\(host.address):\(port)/description.xml" }
    /// The number of open subscriptions.
    var subscriptions: Int { state.withLock(\.subscriptions.count) }
    var eventsSent: Int { state.withLock(\.eventsSent) }
    /// `PLAYING`, `PAUSED_PLAYBACK`, `STOPPED`.
    var transport: String {
        get { state.withLock(\.transport) }
        set { state.withLock { $0.transport = newValue } }
    }
    /// Media it serves itself; answers only HEAD.
    var media: String { "http://\(host.address):\(port)/tone.mp3" }

    /// Requests of that method or action so far.
    func count(_ name: String) -> Int { state.withLock { $0.counts[name] ?? 0 } }

    func announce() { announcer.notify("uuid:" + manners.identifier, location: location) }

    /// Withdraws the announcement and ends the server.
    func stop() {
        announcer.notify("uuid:" + manners.identifier, location: location, isAlive: false)
        server.withLock { $0?.stop() }
    }

    // MARK: Serving

    private func serve(_ connection: HostileConnection) {
        guard let request = connection.readRequest() else { return }
        let action = request.headers["soapaction"]?.split(separator: "#").last?.filter { $0 != "\"" } ?? ""
        let name = request.method == "POST" ? action : request.method == "GET" ? request.path : request.method
        state.withLock { $0.counts[name, default: 0] += 1 }
        switch request.method {
        case "GET" where request.path == "/description.xml":
            answer(manners.description, connection, Self.description(manners))
        case "GET" where request.path == "/transport.xml": connection.answer("200 OK", Self.transportDescription)
        case "GET" where request.path == "/rendering.xml": connection.answer("200 OK", Self.renderingDescription)
        case "POST": answer(manners.actions[action] ?? .good, connection, Self.envelope(perform(action, request.body)))
        case "SUBSCRIBE": subscribe(request, connection)
        case "UNSUBSCRIBE":
            state.withLock { _ = $0.subscriptions.remove(request.headers["sid"] ?? "") }
            connection.answer("200 OK")
        case "HEAD": connection.answer("200 OK", headers: ["Content-Type: audio/mpeg"])
        default: connection.answer("404 Not Found")
        }
    }

    private func answer(_ answer: Answer, _ connection: HostileConnection, _ makeBody: @autoclosure () -> String) {
        switch answer {
        case .good: connection.answer("200 OK", headers: ["Content-Type: text/xml; charset=\"utf-8\""], makeBody())
        case .status(let status): connection.answer("\(status) No", "<html>no</html>")
        case .fault(let code): connection.answer("500 Internal Server Error", Self.fault(code))
        case .silence: connection.waitForEnd()
        case .truncated:
            let body = makeBody()
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(body.count / 2))")
        case .garbage: connection.answer("200 OK", "\u{1}\u{2}<not>soap</nor xml")
        case .custom(let custom): custom(connection)
        }
    }

    private func perform(_ action: String, _ body: String) -> String {
        func argument(_ name: String) -> String {
            guard let start = body.range(of: "<\(name)>"), let end = body.range(of: "</\(name)>") else { return "" }
            return String(body[start.upperBound..<end.lowerBound])
        }
        return state.withLock { state in
            var values: [String: String] = [:]
            switch action {
            case "SetAVTransportURI": state.uri = argument("CurrentURI")
            case "Play": state.transport = "PLAYING"
            case "Pause": state.transport = "PAUSED_PLAYBACK"
            case "Stop": state.transport = "STOPPED"
            case "GetTransportInfo":
                values = [
                    "CurrentTransportState": state.transport, "CurrentTransportStatus": "OK", "CurrentSpeed": "1",
                ]
            case "GetPositionInfo":
                values = ["TrackDuration": "0:00:30", "RelTime": "0:00:01", "TrackURI": state.uri, "TrackMetaData": ""]
            case "GetMediaInfo": values = ["CurrentURI": state.uri]
            case "GetProtocolInfo": values = ["Source": "", "Sink": "http-get:*:*:*"]
            case "GetVolume": values = ["CurrentVolume": state.volume]
            case "SetVolume": state.volume = argument("DesiredVolume")
            case "GetMute": values = ["CurrentMute": "0"]
            default: break
            }
            let fields = values.map { "<\($0)>\($1)</\($0)>" }.joined()
            return
                "<u:\(action)Response xmlns:u=\"urn:schemas-upnp-org:service:AVTransport:1\">\(fields)</u:\(action)Response>"
        }
    }

    // MARK: Events

    private func subscribe(_ request: HostileConnection.Request, _ connection: HostileConnection) {
        guard case .good = manners.subscription else { return answer(manners.subscription, connection, "") }
        let identifier = request.headers["sid"] ?? "uuid:" + UUID().uuidString.lowercased()
        let isNew = state.withLock { $0.subscriptions.insert(identifier).inserted }
        connection.answer("200 OK", headers: ["SID: \(identifier)", "TIMEOUT: Second-300"])
        guard isNew, manners.floodOfEvents > 0, let callback = request.headers["callback"] else { return }
        Task { [self] in try await flood(callback.trimmingCharacters(in: ["<", ">"]), identifier) }
    }

    private func flood(_ callback: String, _ identifier: String) async throws {
        guard let url = URL(string: callback), let address = url.host(), let port = url.port else { return }
        let change = "&lt;Event&gt;&lt;InstanceID val=&quot;0&quot;&gt;&lt;TransportState val=&quot;PLAYING&quot;/&gt;"
        let body =
            "<e:propertyset xmlns:e=\"urn:schemas-upnp-org:event-1-0\"><e:property><LastChange>\(change)"
            + String(repeating: "&lt;Padding val=&quot;1&quot;/&gt;", count: 200)
            + "&lt;/InstanceID&gt;&lt;/Event&gt;</LastChange></e:property></e:propertyset>"
        let count = manners.floodOfEvents
        try await host.inNetwork { [self] in
            for number in 0..<count {
                guard let connection = HostileConnection(to: address, port: UInt16(clamping: port)) else { return }
                connection.write(
                    """
                    NOTIFY \(url.path) HTTP/1.1\r\nHOST: \(address):\(port)\r\nNT: upnp:event\r\nNTS: upnp:propchange\r
                    SID: \(identifier)\r\nSEQ: \(number)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r
                    \r\n\(body)
                    """)
                // Don't wait for every third one: its answer has no recipient.
                if number % 3 != 0 { connection.waitForEnd() }
                connection.close()
                state.withLock { $0.eventsSent += 1 }
            }
        }
    }
}

import AirPlayProtocol
import NIOCore

/// The requests of one audio stream to a receiver, in their order.
///
/// Source: the protocol as receivers implement it; `ANNOUNCE`, `SETUP` and `RECORD` as in RFC 2326 with headers of its
/// own.
struct AudioSession: Sendable {
    private let connection: RTSPConnection
    private let description: StreamDescription
    /// The receiver's numeric address, with its scope.
    let receiver: SocketAddress
    /// The address of this computer, as the receiver sees it.
    let local: SocketAddress

    /// Creates a session on a connection.
    ///
    /// - Parameter encryption: The encryption of the audio; `nil` for none.
    /// - Throws: ``AirPlayError/disconnected(_:)`` if the connection has ended.
    init(_ connection: RTSPConnection, encryption: StreamEncryption? = nil) async throws(AirPlayError) {
        guard let ends = await connection.ends, let local = ends.local.ipAddress, let remote = ends.remote.ipAddress
        else { throw .disconnected("it ended before it began") }
        self.connection = connection
        self.local = ends.local
        receiver = ends.remote
        description = StreamDescription(
            session: UInt32.random(in: 1 ... .max), localAddress: Self.withoutScope(local),
            remoteAddress: Self.withoutScope(remote), encryption: encryption)
    }

    /// Asks whether the receiver lets this sender in at all; touches nothing that plays.
    static func greet(_ connection: RTSPConnection) async throws(AirPlayError) {
        let response = try await connection.perform(RTSPRequest("OPTIONS", "*"))
        guard response.isSuccess else { throw refusal("OPTIONS", response) }
    }

    /// - Returns: The destination for audio.
    func begin(controlPort: Int, timingPort: Int) async throws(AirPlayError) -> StreamTransport {
        try await request(
            "ANNOUNCE", headers: ["Content-Type": "application/sdp"], body: Array(description.text.utf8))
        let response = try await request(
            "SETUP", headers: ["Transport": StreamTransport.request(control: controlPort, timing: timingPort)])
        return try StreamTransport(header: response.headers["Transport"] ?? "")
    }

    /// Starts the stream.
    ///
    /// - Returns: The latency that the receiver adds by itself, in frames.
    func record(_ next: (sequenceNumber: UInt16, timestamp: UInt32)) async throws(AirPlayError) -> Int {
        let response = try await request(
            "RECORD", headers: ["Session": "1", "Range": "npt=0-", "RTP-Info": Self.information(next)])
        return response.headers["Audio-Latency"].flatMap { Int($0) } ?? 0
    }

    /// Makes the receiver discard everything before a packet.
    func flush(_ next: (sequenceNumber: UInt16, timestamp: UInt32)) async throws(AirPlayError) {
        try await request("FLUSH", headers: ["Session": "1", "RTP-Info": Self.information(next)])
    }

    func end() async throws(AirPlayError) { try await request("TEARDOWN", headers: ["Session": "1"]) }

    func setVolume(_ level: Float) async throws(AirPlayError) {
        try await parameter("text/parameters", Array(AirPlayVolume.parameter(level: level).utf8))
    }

    /// Returns the volume; `nil` if the receiver doesn't report it.
    func volume() async throws(AirPlayError) -> Float? {
        let response = try await connection.perform(
            RTSPRequest(
                "GET_PARAMETER", description.uri, headers: ["Content-Type": "text/parameters"],
                body: Array("volume\r\n".utf8)))
        guard response.isSuccess else { return nil }
        return AirPlayVolume.level(parameter: String(decoding: response.body, as: UTF8.self))
    }

    func setProgress(_ progress: (start: UInt32, current: UInt32, end: UInt32)) async throws(AirPlayError) {
        let text = "progress: \(progress.start)/\(progress.current)/\(progress.end)\r\n"
        try await parameter("text/parameters", Array(text.utf8))
    }

    func setText(_ text: MediaText, from timestamp: UInt32) async throws(AirPlayError) {
        try await parameter(MediaText.contentType, text.encoded, from: timestamp)
    }

    func setPicture(_ picture: [UInt8], contentType: String, from timestamp: UInt32) async throws(AirPlayError) {
        try await parameter(contentType, picture, from: timestamp)
    }

    private func parameter(
        _ contentType: String, _ body: [UInt8], from timestamp: UInt32? = nil
    ) async throws(AirPlayError) {
        var headers: RTSPHeaders = ["Session": "1", "Content-Type": contentType]
        if let timestamp { headers["RTP-Info"] = "rtptime=\(timestamp)" }
        try await request("SET_PARAMETER", headers: headers, body: body)
    }

    @discardableResult
    private func request(
        _ method: String, headers: RTSPHeaders = [:], body: [UInt8] = []
    ) async throws(AirPlayError) -> RTSPResponse {
        let response = try await connection.perform(
            RTSPRequest(method, description.uri, headers: headers, body: body))
        guard response.isSuccess else { throw Self.refusal(method, response) }
        return response
    }

    private static func refusal(_ method: String, _ response: RTSPResponse) -> AirPlayError {
        // "Not enough bandwidth" is how receivers say that another sender has them.
        response.status == 453 ? .busy : .refused(method: method, status: response.status)
    }

    private static func information(_ next: (sequenceNumber: UInt16, timestamp: UInt32)) -> String {
        "seq=\(next.sequenceNumber);rtptime=\(next.timestamp)"
    }

    private static func withoutScope(_ address: String) -> String { String(address.prefix { $0 != "%" }) }
}

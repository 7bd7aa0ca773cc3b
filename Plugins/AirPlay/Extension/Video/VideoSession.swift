import AirPlayProtocol
import Foundation

/// One playback by address on a receiver, as the requests that make it.
struct VideoSession: Sendable {
    private let connection: RTSPConnection
    private let requests: VideoRequests

    init(_ connection: RTSPConnection, _ requests: VideoRequests) {
        self.connection = connection
        self.requests = requests
    }

    /// Checks whether the receiver accepts this sender; doesn't change any playback.
    static func greet(_ connection: RTSPConnection) async throws(AirPlayError) {
        // Ignore the answer, which may be an error without playback; a challenge throws by itself.
        _ = try await connection.perform(VideoRequests(session: UUID().uuidString).information)
    }

    /// Plays a URL from the beginning.
    func play(_ address: String) async throws(AirPlayError) {
        let response = try await connection.perform(try requests.play(address, as: .propertyList))
        guard !response.isSuccess else { return }
        // Receivers that can't read property lists answer with different errors.
        guard [400, 404, 406, 415, 501].contains(response.status) else { throw Self.refusal("/play", response) }
        try await ask(try requests.play(address, as: .text))
    }

    func information() async throws(AirPlayError) -> PlaybackInformation {
        let response = try await connection.perform(requests.information)
        // Some receivers report an error when idle.
        return response.isSuccess ? try PlaybackInformation(response.body) : .nothing
    }

    func setPlaying(_ isPlaying: Bool) async throws(AirPlayError) { try await ask(requests.rate(isPlaying: isPlaying)) }

    func seek(to seconds: Double) async throws(AirPlayError) { try await ask(requests.scrub(to: seconds)) }

    func setVolume(_ level: Float) async throws(AirPlayError) { try await ask(requests.volume(Double(level))) }

    func stop() async throws(AirPlayError) { try await ask(requests.stop) }

    func close() async { await connection.close() }

    /// A stream with the reason for the end of the connection.
    var end: AsyncStream<AirPlayError> { connection.end }

    private func ask(_ request: RTSPRequest) async throws(AirPlayError) {
        let response = try await connection.perform(request)
        guard response.isSuccess else { throw Self.refusal(String(request.uri.prefix { $0 != "?" }), response) }
    }

    private static func refusal(_ path: String, _ response: RTSPResponse) -> AirPlayError {
        switch response.status {
        case 453, 503: .busy
        case 403, 470: .notPaired("It does not let this computer in.")
        default: .refused(method: path, status: response.status)
        }
    }
}

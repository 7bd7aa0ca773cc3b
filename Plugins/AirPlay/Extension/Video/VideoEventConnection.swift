import AirPlayProtocol
import Foundation

/// A second connection of one playback by URL, on which the receiver sends events.
struct VideoEventConnection: Sendable {
    /// The time limit of each step of the setup, which delays playback.
    private static let patience = Duration.seconds(3)

    private let connection: RTSPConnection

    /// Opens the connection.
    ///
    /// - Throws: ``AirPlayError/refused(method:status:)`` if the receiver sends no events.
    static func open(
        _ access: ReceiverAccess, _ requests: VideoRequests, _ timeouts: AirPlayTimeouts
    ) async throws(AirPlayError) -> VideoEventConnection {
        var timeouts = timeouts
        timeouts.connecting = min(timeouts.connecting, patience)
        timeouts.answer = min(timeouts.answer, patience)
        let connection = try await access.open(timeouts)
        do throws(AirPlayError) {
            let response = try await connection.perform(requests.reverse)
            guard response.status == 101 else { throw .refused(method: "/reverse", status: response.status) }
            return VideoEventConnection(connection: connection)
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Ends with the connection.
    var events: AsyncStream<VideoEvent> { connection.events }

    func close() async { await connection.close() }
}

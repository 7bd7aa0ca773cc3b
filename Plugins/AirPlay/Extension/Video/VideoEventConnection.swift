import AirPlayProtocol
import Foundation

/// A second connection of one playback by address, on which the receiver tells by itself what it does.
struct VideoEventConnection: Sendable {
    /// For each step until it is there: nothing is begun meanwhile.
    private static let patience = Duration.seconds(3)

    private let connection: RTSPConnection

    /// - Throws: ``AirPlayError/refused(method:status:)`` where the receiver tells nothing by itself.
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

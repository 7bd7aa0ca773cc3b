import AirPlayPairing
import AirPlayProtocol
import Foundation

/// A receiver that shows a code, and the connection on which it waits for it.
struct PairingAttempt: Sendable {
    private let connection: RTSPConnection
    private let begun: PairingExchange.Begun

    /// Starts pairing: the receiver shows its code.
    static func begin(
        anyOf addresses: [AirPlayAddress], isLegacy: Bool, timeouts: AirPlayTimeouts
    ) async throws(PairingFailure) -> PairingAttempt {
        let connection: RTSPConnection
        do throws(AirPlayError) {
            connection = try await RTSPConnection.open(anyOf: addresses, password: nil, timeouts: timeouts)
        } catch {
            throw .connection(error)
        }
        do throws(PairingFailure) {
            let begun = try await PairingExchange(connection).begin(isLegacy: isLegacy)
            return PairingAttempt(connection: connection, begun: begun)
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Finishes the attempt with the code, successful or not.
    ///
    /// - Parameter code: The code as a person typed it.
    func finish(_ code: String) async throws(PairingFailure) -> ReceiverSecret {
        let wasOpen = await isOpen
        do throws(PairingFailure) {
            let secret = try await PairingExchange(connection).finish(begun, code: code.filter { !$0.isWhitespace })
            await connection.close()
            return secret
        } catch {
            await connection.close()
            // It closes the connection together with its screen.
            if !wasOpen, case .connection(.disconnected) = error { throw .pairing(.withdrawn) }
            throw error
        }
    }

    /// Waits until the receiver closes the connection, or the attempt is over.
    func end() async { for await _ in connection.end {} }

    /// A Boolean value that indicates whether the receiver still waits for the code.
    var isOpen: Bool { get async { await connection.ends != nil } }

    /// Cancels the attempt. The protocol has no message for it; the receiver hides its code when the connection closes.
    func cancel() async { await connection.close() }
}

import DeviceConnections
import MediaDevice
import PlaybackKit
import ReferenceProtocol

/// An error of a connection to a receiver.
enum ConnectionFailure: Error, Sendable, Hashable {
    /// The receiver couldn't be reached. The text completes a sentence, such as `no answer in time`.
    case unreachable(String)
    case timedOut
    /// The peer speaks another protocol.
    case notUnderstood(String)
    /// The receiver refused, with its own reason.
    case refused(ReferenceFailure)
    /// The person cancelled.
    case cancelled
    /// The connection to the device with this name was lost.
    case lost(from: String)

    var isRefusal: Bool { if case .refused = self { true } else { false } }

    init(_ failure: TransportFailure) {
        switch failure {
        case .unreachable(let reason), .disconnected(let reason): self = .unreachable(reason)
        case .timedOut: self = .timedOut
        case .malformed(let reason), .tooLarge(let reason): self = .notUnderstood(reason)
        }
    }
}

/// An event from a receiver, in the receiver's order.
enum LinkEvent: Sendable, Hashable {
    /// An event that the receiver sent without a request.
    case told(ReferenceEvent)
    /// An answer to a noted command. Later events reflect the command.
    case answered
    /// An answer with the receiver's clock.
    case compared
}

/// The connection to a receiver, as the rest of the extension uses it. Tests replace it with a script.
protocol ReceiverLink: AnyObject, Sendable {
    /// The receiver's events, for one consumer. The stream finishes with the connection.
    var events: AsyncStream<LinkEvent> { get }
    /// Sends a command and waits for its answer. Commands arrive in the order of the calls.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - isNoted: `true` to report the answer in ``events``.
    /// - Throws: ``ConnectionFailure``
    func perform(_ command: ReferenceCommand, isNoted: Bool) async throws(ConnectionFailure) -> ReferenceResult
    /// Reads the receiver's clock, and records the times of the request and the answer.
    func readClock() async throws(ConnectionFailure) -> ClockExchange
    func close() async
}

extension ReceiverLink {
    func perform(_ command: ReferenceCommand) async throws(ConnectionFailure) -> ReferenceResult {
        try await perform(command, isNoted: false)
    }
}

/// One TCP connection to a receiver.
///
/// It runs where the connection does, so that requests keep their order on the way there.
actor ReferenceConnection: ReceiverLink {
    private static let limits = {
        var limits = DeviceConnection<ReferenceConnectionMachine>.Limits()
        limits.connecting = .seconds(4)
        return limits
    }()

    private nonisolated let connection: DeviceConnection<ReferenceConnectionMachine>
    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    private init(_ connection: DeviceConnection<ReferenceConnectionMachine>) { self.connection = connection }

    nonisolated var events: AsyncStream<LinkEvent> { connection.notifications }

    /// Connects to the first address that answers.
    static func open(_ endpoints: [NWEndpoint]) async throws(ConnectionFailure) -> ReferenceConnection {
        do throws(TransportFailure) {
            return ReferenceConnection(
                try await DeviceConnection.open(anyOf: endpoints, limits: limits) { ReferenceConnectionMachine() })
        } catch {
            throw ConnectionFailure(error)
        }
    }

    func perform(_ command: ReferenceCommand, isNoted: Bool) async throws(ConnectionFailure) -> ReferenceResult {
        try await request(command, note: isNoted ? .answered : nil).result
    }

    func readClock() async throws(ConnectionFailure) -> ClockExchange {
        let (result, response) = try await request(.clock, note: .compared)
        guard case .time(let seconds) = result else { throw .notUnderstood("no time") }
        return ClockExchange(sent: response.sent, received: response.received, remote: seconds)
    }

    func close() async { await connection.close() }

    private func request(
        _ command: ReferenceCommand, note: LinkEvent?
    ) async throws(ConnectionFailure) -> (result: ReferenceResult, ReferenceConnectionMachine.Response) {
        let response: ReferenceConnectionMachine.Response
        do throws(TransportFailure) {
            response = try await connection.request(.init(command: command, note: note))
        } catch {
            throw ConnectionFailure(error)
        }
        do throws(ReferenceFailure) { return (try response.outcome.get(), response) } catch { throw .refused(error) }
    }
}

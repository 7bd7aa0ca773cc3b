import DeviceConnections
import MediaDevice
import ReferenceProtocol

/// A connection to a receiver as a value: numbers requests and finds their answers.
struct ReferenceConnectionMachine: ConnectionMachine {
    struct Request: Sendable {
        let command: ReferenceCommand
        /// Told among the notifications with the answer: there, in the receiver's order.
        let note: LinkEvent?
    }

    struct Response: Sendable {
        let outcome: Result<ReferenceResult, ReferenceFailure>
        /// The times at which the request was written and its answer read, as close to the socket as possible: the wait
        /// for another actor would count as travel time.
        let sent: Double
        let received: Double
    }

    private typealias Action = ConnectionAction<Response, LinkEvent>

    /// For each answer, in seconds.
    private static let patience = 4.0

    private let now: @Sendable () -> Double
    private var lines = ReferenceLines()
    private var pending: [RequestID: (note: LinkEvent?, sent: Double)] = [:]

    /// - Parameter now: The clock of positions, in seconds.
    init(now: @escaping @Sendable () -> Double = { CMClockGetTime(.hostTimeClock).seconds }) { self.now = now }

    mutating func connected() -> [ConnectionAction<Response, LinkEvent>] { [.ready] }

    mutating func submit(_ id: RequestID, _ request: Request) -> [ConnectionAction<Response, LinkEvent>] {
        let bytes = ReferenceLines.encode(ReferenceRequest(id: Int(id), command: request.command))
        let time = now()
        pending[id] = (request.note, time)
        return [.send(bytes), expectation(time)]
    }

    mutating func received(_ bytes: [UInt8]) -> [ConnectionAction<Response, LinkEvent>] {
        let time = now()
        var actions: [Action] = []
        do throws(ReferenceLines.Failure) {
            for line in try lines.take(bytes) {
                actions += take(try ReferenceLines.decode(ReferenceMessage.self, from: line), at: time)
            }
            return actions + [expectation(time)]
        } catch {
            return actions + [.close(.malformed("\(error)"))]
        }
    }

    mutating func timedOut() -> [ConnectionAction<Response, LinkEvent>] {
        [.close(.timedOut("no answer to a command"))]
    }

    private mutating func take(_ message: ReferenceMessage, at time: Double) -> [Action] {
        switch message {
        case .event(let event): return [.notify(.told(event))]
        case .reply(let number, let outcome):
            guard let id = RequestID(exactly: number), let asked = pending.removeValue(forKey: id) else { return [] }
            let response = Response(outcome: outcome, sent: asked.sent, received: time)
            return (asked.note.map { [.notify($0)] } ?? []) + [.complete(id, response)]
        }
    }

    /// The oldest request without an answer decides, regardless of other messages.
    private func expectation(_ time: Double) -> Action {
        .expect(within: pending.values.map(\.sent).min().map { .seconds(max(0, $0 + Self.patience - time)) })
    }
}

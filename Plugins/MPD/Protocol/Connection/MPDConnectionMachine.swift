public import DeviceConnections

/// A message that an MPD server sends unasked.
public enum MPDNotification: Sendable, Hashable {
    /// The first one: the protocol version of its greeting.
    case greeted(MPDVersion)
    /// The answer to `idle`.
    case changed(Set<MPDSubsystem>)
}

/// One connection to a server as a value: greeting, commands, and `idle` whenever there is nothing else to do.
///
/// Answers come in the order of requests, so a pending `idle` is taken back with `noidle` in the same write, and taken up
/// again after the last answer. MPD answers an `idle` exactly once, whether or not the `noidle` crosses an event on its way.
/// It idles only after the first request: without a password, which is sent that way, the server may refuse to.
/// Source: MPD protocol reference, "Querying MPD's status" (`idle`).
public struct MPDConnectionMachine: ConnectionMachine {
    /// One command, or several as a list that the server performs up to the first refusal.
    public typealias Request = [MPDCommand]
    /// One part for each command. A command that cannot be written is not sent, and completes with its error.
    public typealias Response = Result<MPDReply, MPDError>
    public typealias Action = ConnectionAction<Response, MPDNotification>

    private enum Pending: Sendable, Hashable {
        case idle
        case request(RequestID, commands: Int)
    }

    private let watched: [MPDSubsystem]
    private let answerLimit: Duration
    private let limits: MPDLimits
    private var parser: MPDParser
    private var pending: [Pending] = []
    private var isIdleRefused = false
    private var hasBeenAsked = false
    private var isExpecting = false
    /// The server has greeted.
    public private(set) var isReady = false

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - watched: Subsystems to watch while nothing else is asked; empty never idles.
    ///   - answerLimit: For each answer. MPD answers `seekcur` only once the medium's own server has answered it.
    public init(
        watched: [MPDSubsystem] = [.player, .mixer, .options, .playlist], answerLimit: Duration = .seconds(20),
        limits: MPDLimits = MPDLimits()
    ) {
        self.watched = watched
        self.answerLimit = answerLimit
        self.limits = limits
        parser = MPDParser(limits: limits)
    }

    public mutating func connected() -> [Action] { [] }

    public mutating func received(_ bytes: [UInt8]) -> [Action] {
        parser.append(bytes)
        var actions: [Action] = []
        do throws(TransportFailure) {
            while let event = try parser.next() { actions += try handle(event) }
            return actions + settled()
        } catch {
            return actions + [.close(error)]
        }
    }

    public mutating func submit(_ id: RequestID, _ commands: [MPDCommand]) -> [Action] {
        do throws(MPDError) {
            var bytes: [UInt8] = pending == [.idle] ? Array("noidle\n".utf8) : []
            if commands.count > 1 { bytes += try MPDCommand("command_list_ok_begin").encoded(limits: limits) }
            for command in commands { bytes += try command.encoded(limits: limits) }
            if commands.count > 1 { bytes += try MPDCommand("command_list_end").encoded(limits: limits) }
            pending.append(.request(id, commands: commands.count))
            hasBeenAsked = true
            return [.send(bytes)] + (pending.first == .idle || pending.count == 1 ? expecting(true, anew: true) : [])
        } catch {
            return [.complete(id, .failure(error))]
        }
    }

    public mutating func timedOut() -> [Action] { isExpecting ? [.close(.timedOut("no answer to a command"))] : [] }

    private mutating func handle(_ event: MPDParser.Event) throws(TransportFailure) -> [Action] {
        switch event {
        case .greeting(let version):
            isReady = true
            return [.notify(.greeted(version)), .ready]
        case .reply(let reply): return try answered(.success(reply))
        case .refusal(let refusal): return try answered(.failure(refusal))
        }
    }

    private mutating func answered(_ answer: Result<MPDReply, MPDRefusal>) throws(TransportFailure) -> [Action] {
        guard let asked = pending.first else { throw .malformed("an answer nobody asked for") }
        if case .request(_, let commands) = asked, case .success(let reply) = answer, reply.parts.count != commands {
            throw .malformed("an answer with too many or too few parts")
        }
        pending.removeFirst()
        switch (asked, answer) {
        case (.idle, .success(let reply)):
            let changed = MPDSubsystem.changed(in: reply.first)
            return changed.isEmpty ? [] : [.notify(.changed(changed))]
        case (.idle, .failure):
            isIdleRefused = true
            return []
        case (.request(let id, _), _):
            return [.complete(id, answer.mapError(MPDError.refused))]
                + (pending.isEmpty ? [] : expecting(true, anew: true))
        }
    }

    /// Idles again after all answers have arrived.
    private mutating func settled() -> [Action] {
        guard hasBeenAsked, pending.isEmpty else { return [] }
        guard !watched.isEmpty, !isIdleRefused else { return expecting(false) }
        pending = [.idle]
        return [.send(Array("idle \(watched.map(\.rawValue).joined(separator: " "))\n".utf8))] + expecting(false)
    }

    private mutating func expecting(_ isExpecting: Bool, anew: Bool = false) -> [Action] {
        guard anew || isExpecting != self.isExpecting else { return [] }
        self.isExpecting = isExpecting
        return [.expect(within: isExpecting ? answerLimit : nil)]
    }
}

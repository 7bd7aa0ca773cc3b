/// One connection to a server as a value: greeting, password, commands, and `idle` whenever there is nothing else to do.
///
/// The owner feeds it what happens and performs the actions it returns, in order. Answers come in the order of requests, so
/// commands may be submitted at any time after ``Action/ready(_:)``: a pending `idle` is taken back with `noidle` in
/// the same write, and taken up again after the last answer. MPD answers an `idle` exactly once, whether or not the
/// `noidle` crosses an event on its way.
/// Source: MPD protocol reference, "Querying MPD's status" (`idle`) and "Connection settings" (`password`).
package struct MPDConnectionMachine: Sendable {
    package typealias RequestID = UInt64

    package enum Action: Sendable, Hashable {
        case send([UInt8])
        /// Greeted, and the password, if one was given, accepted.
        case ready(MPDVersion)
        case complete(RequestID, Result<MPDReply, MPDError>)
        case changed(Set<MPDSubsystem>)
        /// Start the clock anew for what is waited for now; `nil` stops it.
        case expect(Expectation?)
        /// The connection is over: close it. Nothing follows.
        case close(MPDError)
    }

    package enum Expectation: String, Sendable, Hashable {
        case greeting, password, answer
    }

    private enum Phase: Sendable, Hashable {
        case connecting, greeting
        case authenticating(MPDVersion)
        case ready
        case closed
    }

    private enum Pending: Sendable, Hashable {
        case idle
        case request(RequestID, commands: Int)
    }

    private let password: String?
    private let limits: MPDLimits
    private let watched: [MPDSubsystem]
    private var phase = Phase.connecting
    private var parser: MPDParser
    private var pending: [Pending] = []
    private var isIdleRefused = false
    private var expectation: Expectation?
    private var ending: MPDError?

    /// - Parameters:
    ///   - password: Sent right after the greeting; a refusal closes the connection with that refusal.
    ///   - watched: Subsystems to watch while nothing else is asked; empty never idles.
    package init(
        password: String? = nil, watched: [MPDSubsystem] = [.player, .mixer, .options, .playlist],
        limits: MPDLimits = MPDLimits()
    ) {
        self.password = password
        self.watched = watched
        self.limits = limits
        parser = MPDParser(limits: limits)
    }

    package var isReady: Bool { phase == .ready }

    package var isClosed: Bool { phase == .closed }

    /// The transport is connected.
    package mutating func connected() -> [Action] {
        guard phase == .connecting else { return [] }
        phase = .greeting
        return expecting(.greeting)
    }

    /// Bytes arrived.
    package mutating func received(_ bytes: some Collection<UInt8>) -> [Action] {
        guard phase != .closed else { return [] }
        parser.append(bytes)
        var actions: [Action] = []
        do throws(MPDError) {
            while phase != .closed, let event = try parser.next() { actions += try handle(event) }
            if phase != .closed { actions += settled() }
        } catch {
            actions += closed(error)
        }
        return actions
    }

    /// Asks for one command, or for several as one list that stops at the first refusal.
    ///
    /// A request that cannot be written, or comes while the connection is not ready, completes at once with its error.
    package mutating func submit(_ id: RequestID, _ commands: [MPDCommand]) -> [Action] {
        guard phase == .ready, !commands.isEmpty else {
            // Why it ended tells more than that it did.
            return [.complete(id, .failure(ending ?? .disconnected("it is not ready for commands")))]
        }
        do throws(MPDError) {
            var bytes: [UInt8] = pending == [.idle] ? Array("noidle\n".utf8) : []
            if commands.count > 1 { bytes += try MPDCommand("command_list_ok_begin").encoded(limits: limits) }
            for command in commands { bytes += try command.encoded(limits: limits) }
            if commands.count > 1 { bytes += try MPDCommand("command_list_end").encoded(limits: limits) }
            pending.append(.request(id, commands: commands.count))
            return [.send(bytes)] + (pending.first == .idle || pending.count == 1 ? expecting(.answer, anew: true) : [])
        } catch {
            return [.complete(id, .failure(error))]
        }
    }

    /// What was last expected did not come in time.
    package mutating func timedOut() -> [Action] {
        guard phase != .closed, let expectation else { return [] }
        return closed(.timedOut("waiting for its \(expectation.rawValue)"))
    }

    /// The transport ended.
    package mutating func disconnected(_ reason: String) -> [Action] {
        phase == .closed ? [] : closed(.disconnected(reason))
    }

    private mutating func handle(_ event: MPDParser.Event) throws(MPDError) -> [Action] {
        switch (phase, event) {
        case (.greeting, .greeting(let version)):
            guard let password else {
                phase = .ready
                return [.ready(version)]
            }
            let bytes = try MPDCommand("password", password).encoded(limits: limits)
            phase = .authenticating(version)
            return [.send(bytes)] + expecting(.password, anew: true)
        case (.authenticating(let version), .reply):
            phase = .ready
            return [.ready(version)]
        case (.authenticating, .refusal(let refusal)):
            return closed(.refused(refusal))
        case (.ready, .reply(let reply)):
            return try answered(.success(reply))
        case (.ready, .refusal(let refusal)):
            return try answered(.failure(refusal))
        default:
            throw .malformed("an answer nobody asked for")
        }
    }

    private mutating func answered(_ answer: Result<MPDReply, MPDRefusal>) throws(MPDError) -> [Action] {
        guard let asked = pending.first else { throw .malformed("an answer nobody asked for") }
        if case .request(_, let commands) = asked, case .success(let reply) = answer, reply.parts.count != commands {
            // Still pending, so that closing completes it too.
            throw .malformed("an answer with too many or too few parts")
        }
        pending.removeFirst()
        switch (asked, answer) {
        case (.idle, .success(let reply)):
            let changed = MPDSubsystem.changed(in: reply.first)
            return changed.isEmpty ? [] : [.changed(changed)]
        case (.idle, .failure):
            isIdleRefused = true
            return []
        case (.request(let id, _), .success(let reply)):
            return [.complete(id, .success(reply))] + (pending.isEmpty ? [] : expecting(.answer, anew: true))
        case (.request(let id, _), .failure(let refusal)):
            return [.complete(id, .failure(.refused(refusal)))]
                + (pending.isEmpty ? [] : expecting(.answer, anew: true))
        }
    }

    /// Goes back to idling once every answer is in.
    private mutating func settled() -> [Action] {
        guard phase == .ready, pending.isEmpty else { return [] }
        guard !watched.isEmpty, !isIdleRefused else { return expecting(nil) }
        pending = [.idle]
        return [.send(Array("idle \(watched.map(\.rawValue).joined(separator: " "))\n".utf8))] + expecting(nil)
    }

    private mutating func expecting(_ new: Expectation?, anew: Bool = false) -> [Action] {
        guard anew || new != expectation else { return [] }
        expectation = new
        return [.expect(new)]
    }

    private mutating func closed(_ error: MPDError) -> [Action] {
        let unanswered = pending
        pending = []
        phase = .closed
        ending = error
        var actions = expecting(nil)
        for case .request(let id, _) in unanswered { actions.append(.complete(id, .failure(error))) }
        return actions + [.close(error)]
    }
}

import Foundation
import HostClient
import HostInterface

/// A command's connection to the daemon with the view it keeps.
struct HostConnection {
    private(set) var client: HostClient
    let inputs = CommandInputs()
    private(set) var view = HostView()
    private var iterator: AsyncStream<CommandInput>.Iterator
    private var agent: PairingAgent?
    private var prompts = TerminalPrompts()
    /// The names of the devices that the person named, as they are called.
    private var named: Set<String> = []

    /// Connects, starting the daemon if `launching`, and loads everything there is.
    init(launching: Bool = true) async throws(HostError) {
        client = try await HostClient.connect(launching: launching)
        iterator = inputs.stream.makeAsyncIterator()
        inputs.add(events: try await client.events())
        while !view.isReady { try await next() }
    }

    /// Connects to the next daemon, started if need be, after the one before went away; keys and signals go on.
    ///
    /// - Throws: ``HostError`` `host-unavailable`, or `cancelled` when the person does not want to wait.
    mutating func reconnect() async throws(HostError) {
        await client.close()
        client = try await HostClient.connect()
        agent = nil
        prompts = TerminalPrompts()
        view = HostView()
        inputs.add(events: try await client.events())
        while !view.isReady {
            if case .interrupted = try await next() { throw HostError(.cancelled, "Cancelled.") }
        }
    }

    /// The next input; the daemon's events are applied to ``view`` first.
    ///
    /// - Throws: ``HostError`` `host-unavailable` when the daemon went away.
    @discardableResult
    mutating func next() async throws(HostError) -> CommandInput {
        let input = await iterator.next(isolation: #isolation) ?? .disconnected
        switch input {
        case .host(let event): view.apply(event)
        case .disconnected: throw HostError(.hostUnavailable, "The daemon exited.")
        default: break
        }
        return input
    }

    /// Makes a request, answering pairing prompts, and waits for its answer or for Ctrl-C.
    ///
    /// - Returns: Its answer.
    /// - Throws: ``HostError`` of the request, or `cancelled`: the daemon gives it up with this connection.
    mutating func answer(of request: @escaping @Sendable () async throws(HostError) -> String) async throws(HostError)
        -> String
    {
        try await answerPrompts()
        inputs.add(request: request)
        while true {
            switch try await next() {
            case .answer(let answer):
                // The device may have been satisfied without the person.
                prompts.dismiss()
                do throws(HostError) {
                    return try answer.get()
                } catch {
                    throw withOwnRemedy(error)
                }
            case .interrupted:
                // Dismissing an open question answers it; the daemon reports the cancelled request.
                if prompts.dismiss() { continue }
                // Behind the terminal's “^C”.
                if Terminal.errors.isInteractive { Terminal.errors.write("\n") }
                throw HostError(.cancelled, "Cancelled.")
            default: break
            }
        }
    }

    /// The same for a request without an answer of its own.
    mutating func settle(_ request: @escaping @Sendable () async throws(HostError) -> Void) async throws(HostError) {
        _ = try await answer { () throws(HostError) in
            try await request()
            return ""
        }
    }

    /// Answers pairing prompts from now on, until the connection is closed; Ctrl-C becomes an input.
    private mutating func answerPrompts() async throws(HostError) {
        guard agent == nil else { return }
        agent = try await PairingAgent(on: client, answering: prompts)
        inputs.addSignals()
    }

    /// Takes a discovery lease, which lasts until the connection is closed or the lease ends. When this returns, the
    /// remembered devices are in ``view``.
    mutating func takeLease() async throws(HostError) -> String {
        let lease = try await client.takeLease()
        // The reply may arrive before the devices do.
        while view.manager?.leases[lease] == nil { try await next() }
        return lease
    }

    /// Returns the device a person means, after a discovery if it isn't known yet.
    ///
    /// A device that is only remembered counts: playing to it shows whether it is there.
    ///
    /// - Parameter way: The protocol to use. Another device of the name may be found later, and be reached by it.
    mutating func device(named name: String, via way: String? = nil) async throws(HostError) -> ClientDevice {
        if let device = try? DeviceNaming.resolve(name, in: view.sortedDevices, via: way), device.isReached(via: way) {
            named.insert(device.name)
            return device
        }
        let lease = try await takeLease()
        while true {
            do {
                let device = try DeviceNaming.resolve(name, in: view.sortedDevices, via: way)
                if device.isReached(via: way) || view.isSettled(lease) {
                    try await client.endLease(lease)
                    named.insert(device.name)
                    return device
                }
            } catch {
                guard error.code == .noSuchDevice, !view.isSettled(lease) else { throw explained(error) }
            }
            try await next()
        }
    }

    private static let howToPlay = "Start playback with `mdhost play DEVICE FILE`."

    /// The only live session, or that of the device a person means.
    mutating func session(of name: String?) async throws(HostError) -> ClientSession {
        let live = view.sortedSessions.filter { !$0.isOver }
        guard let name else {
            if live.count > 1 {
                let names = live.compactMap { view.device(of: $0)?.name }.joined(separator: ", ")
                throw HostError(
                    .ambiguousName, "Several devices play: \(names).",
                    remedy: "Name the device, or the session that `mdhost sessions` lists.")
            }
            guard let session = live.first else {
                throw HostError(.noSuchSession, "Nothing plays.", remedy: Self.howToPlay)
            }
            return session
        }
        if let session = live.first(where: { $0.id == name }) { return session }
        let device = try await device(named: name)
        let playing = live.filter { $0.devices.contains(device.path) }
        if playing.isEmpty, let other = try await otherSession(on: device) { return other }
        guard let session = playing.first else {
            let elsewhere = live.compactMap { view.device(of: $0)?.name }.joined(separator: ", ")
            throw HostError(
                .noSuchSession, "Nothing plays on \(device.name).",
                remedy: elsewhere.isEmpty ? Self.howToPlay : "Playing now: \(elsewhere).")
        }
        guard playing.count == 1 else {
            let list = playing.map { session in
                let way = device.parts.first { $0.id == session.part }?.protocolName ?? device.protocolName
                return "\(session.id) (\(way))"
            }
            throw HostError(
                .ambiguousName, "Several sessions play on \(device.name): \(list.joined(separator: ", ")).",
                remedy: "Name the session by its number.")
        }
        return session
    }

    /// The playback that another sender started on a device; `nil` if there is none.
    private mutating func otherSession(on device: ClientDevice) async throws(HostError) -> ClientSession? {
        do throws(HostError) {
            let client = client
            let path = try await answer { () throws(HostError) in try await client.takeControl(of: device.path) }
            return try await session(at: path)
        } catch {
            // A device that can't tell is as before.
            guard [.noSuchSession, .notSupported].contains(error.code) else { throw error }
            return nil
        }
    }

    /// Returns the session at `path`, which a request just created. The reply may arrive before the session or before
    /// its earlier updates, so this waits until the session has started.
    ///
    /// - Throws: ``HostError`` of the session if it has ended already.
    mutating func session(at path: String) async throws(HostError) -> ClientSession {
        while true {
            let session = view.sessions.values.first { $0.path == path }
            if let session, session.state != "starting" { return session }
            if let session = view.ended[path] {
                throw session.error ?? HostError(.sessionFailed, "Playback ended at once.")
            }
            try await next()
        }
    }

    func close() async {
        inputs.stop()
        await client.close()
    }

    /// A Boolean value that indicates whether a device asked the person for input on this connection.
    var hasAsked: Bool { prompts.lastRequest != nil }

    /// The error with a remedy for the device that the person named: no code helps if it requires a confirmation.
    private func withOwnRemedy(_ error: HostError) -> HostError {
        if error.code == .authorizationRequired, let request = prompts.lastRequest, request.method == .none {
            let name = DisplayText.clean(request.name)
            return HostError(
                error.code, error.message,
                remedy: "Allow it on \(name) itself while `mdhost pair \"\(name)\"` runs in a terminal.")
        }
        guard named.count == 1, let name = named.first, let remedy = error.remedy else { return error }
        return HostError(
            error.code, error.message, remedy: remedy.replacing("DEVICE", with: "\"\(DisplayText.clean(name))\""))
    }

    /// Adds obstacles known to the daemon to a "not found" error.
    private func explained(_ error: HostError) -> HostError {
        guard let problem = view.manager?.problems.first else { return error }
        return HostError(problem.code, "\(error.message) \(problem.message)")
    }
}

/// `CLOCK_MONOTONIC` in seconds: the clock of playback positions.
func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

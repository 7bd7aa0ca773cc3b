import HostInterface
import LinkProtocol

/// The questions of devices that want a code, a password or a confirmation.
extension MediaHost {
    /// The number of codes that a person may try in one activation.
    static let codeAttempts = 3
    /// The number of questions in one activation, those that the device took back included.
    static let mostQuestions = 10

    /// Sends `first`, then codes as long as the device asks, until it is active or refuses. After a wrong code, the
    /// activation and the question are repeated.
    func settleActivation(
        _ device: HostDevice, _ route: Route, first: ExtensionCall, prompt: PairingPrompt?
    ) async throws {
        var outcome = try await self.outcome(of: first, device: device, route: route)
        var refusal: HostError?
        var attemptsLeft = Self.codeAttempts
        var questionsLeft = Self.mostQuestions
        while case .needsCode(let question) = outcome {
            guard questionsLeft > 0 else {
                throw HostError(.authorizationFailed, "\(spokenName(device.id)) asked too many questions.")
            }
            questionsLeft -= 1
            publish(registry.update(device.id) { $0.activation = .awaitingCode })
            if question.method == .none {
                outcome = try await confirmation(question, device: device, route: route, prompt: prompt)
                continue
            }
            try checkWrongCodes(of: device)
            let challenge = refusal.map { question.again(after: $0, attemptsLeft: attemptsLeft) } ?? question
            let answer = try await self.answer(
                challenge, device: device, route: route, prompt: prompt, refusal: refusal)
            try checkWanted(route)
            guard case .entered(let code) = answer else {
                outcome = answer
                continue
            }
            publish(registry.update(device.id) { $0.activation = .activating })
            // Before the device judges it: the client may end the activation in between.
            wrongCodes.add(device.id, now: uptime())
            outcome = try await self.outcome(
                of: .connectUsingPairingCode(code: code, device: device.id, session: route.linkSession),
                device: device, route: route)
            switch outcome {
            case .activated: wrongCodes.clear(device.id)
            case .failed(let error) where error.code != .authorizationFailed: wrongCodes.takeBack(device.id)
            case .failed, .needsCode, .entered: break
            }
            guard case .failed(let error) = outcome, error.code == .authorizationFailed else { continue }
            attemptsLeft -= 1
            guard attemptsLeft > 0 else { throw error }
            refusal = error
            // The extension let go of it with its refusal; a device that wants to be left alone says so now.
            try await runner.perform(
                .deactivate(device: device.id, session: route.linkSession), on: route.extensionIdentifier)
            try checkWanted(route)
            outcome = try await self.outcome(of: first, device: device, route: route)
        }
        if case .failed(let error) = outcome { throw error }
    }

    /// Checks that a device may be asked for a code.
    ///
    /// - Throws: ``HostError`` `authorization-failed` after many wrong ones.
    func checkWrongCodes(of device: HostDevice) throws(HostError) {
        try wrongCodes.check(device.id, name: spokenName(device.id), now: uptime())
    }

    /// Waits for a person's code, or for the device, which may give up or ask something else before.
    private func answer(
        _ challenge: PairingChallenge, device: HostDevice, route: Route, prompt: PairingPrompt?, refusal: HostError?
    ) async throws -> ActivationOutcome {
        try await nextOutcome(of: route) { [self] in
            let code = try await ask(device, challenge, prompt: prompt, route: route, refusal: refusal)
            outcomes.fulfil(route.activation, with: .entered(code))
        }
    }

    /// Waits for a confirmation on the device itself, which may report it before the person confirms it here.
    private func confirmation(
        _ challenge: PairingChallenge, device: HostDevice, route: Route, prompt: PairingPrompt?
    ) async throws -> ActivationOutcome {
        try await nextOutcome(of: route, late: "was not confirmed in time") { [self] in
            let answer = try await ask(device, challenge, prompt: prompt, route: route)
            // Meanwhile the device may have spoken.
            try Task.checkCancellation()
            try await runner.perform(
                .connectUsingPairingCode(code: answer, device: device.id, session: route.linkSession),
                on: route.extensionIdentifier)
        }
    }

    func outcome(of call: ExtensionCall, device: HostDevice, route: Route) async throws -> ActivationOutcome {
        try await nextOutcome(of: route) { [runner] in try await runner.perform(call, on: route.extensionIdentifier) }
    }

    /// Waits for what the device reports next about the activation of a route.
    ///
    /// - Parameter late: What is said of the device after the time limit, which begins after `begin`.
    private func nextOutcome(
        of route: Route, late: String = "did not answer in time", _ begin: @escaping @Sendable () async throws -> Void
    ) async throws -> ActivationOutcome {
        try await outcomes.outcome(
            route.activation, within: timing.activation, clock: clock,
            late: HostError(.timedOut, "\(spokenName(route.deviceID)) \(late)."), begin: begin)
    }

    private func ask(
        _ device: HostDevice, _ challenge: PairingChallenge, prompt: PairingPrompt?, route: Route,
        refusal: HostError? = nil
    ) async throws -> String {
        do {
            guard let prompt else {
                throw HostError(.authorizationRequired, "\(spokenName(device.id)) asks for a code or password.")
            }
            // As the person knows it.
            var asking = device
            asking.description.id = identities.entry(of: device.id)
            asking.description.name = spokenName(device.id)
            guard let code = try await prompt(asking, challenge) else {
                throw HostError(.cancelled, "Pairing with \(spokenName(device.id)) was cancelled.")
            }
            return code
        } catch {
            // An agent without another code keeps the device's error.
            let isUnanswered = (error as? HostError)?.code == .authorizationFailed
            let reason = isUnanswered ? refusal ?? error : error
            // Cancel in the extension too, so the device can leave its pairing screen; unless the device itself no
            // longer needs an answer, or the route was closed.
            if isWanted(route), !Task.isCancelled {
                // Before the extension confirms the end with an error of its own.
                outcomes.fail(route.activation, with: reason)
                perform(
                    .connectUsingPairingCode(code: nil, device: device.id, session: route.linkSession),
                    on: route.extensionIdentifier)
            }
            throw reason
        }
    }
}

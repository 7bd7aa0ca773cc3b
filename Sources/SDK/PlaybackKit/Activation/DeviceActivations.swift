public import Foundation
public import MediaDevice

/// The activations that are in progress: opens devices with the stored secret or without one, asks the person if necessary,
/// and stores the secret that worked.
///
/// Extensions built with the kit have one already. Another one creates it, and passes its requests on: `activateDevice` to
/// ``activate(_:for:)``, `connectUsingPairingCode` to ``answer(_:to:for:)``, `deactivateDevice` to ``cancel(_:for:)``.
@MainActor
public final class DeviceActivations<Opened> {
    /// Opens a device, and returns it with the bytes to store for the next activation: `nil` to store the text that the
    /// person entered. Make one attempt. The task is cancelled when the result isn't needed any longer.
    public typealias Open =
        @MainActor (MediaOutputDevice, PlayerSecret, PlayerPrompt) async throws(PlayerOpeningError) -> (Opened, Data?)

    private struct Key: Hashable {
        let device: MediaOutputDevice.ID
        let session: MediaOutputSession.ID

        init(_ device: MediaOutputDevice, _ session: MediaOutputSession) {
            self.device = device.id
            self.session = session.id
        }
    }

    private struct Attempt {
        var flow: ActivationFlow
        var task: Task<Void, Never>?
        /// The questions of the device while it is opened.
        var prompt: PlayerPrompt?
    }

    private let host: MediaDeviceRoutingManager
    private let open: Open
    private let use: @MainActor (Opened, MediaOutputDevice, MediaOutputSession) async -> Void
    private let discard: @MainActor (Opened) async -> Void
    private let failed: (@MainActor () -> Void)?
    private var attempts: [Key: Attempt] = [:]

    /// Creates the table of an extension.
    ///
    /// - Parameters:
    ///   - host: The host, which gets the questions and the failures.
    ///   - open: Opens a device.
    ///   - discard: Closes a device that was opened after its activation was cancelled.
    ///   - failed: Called after a failure was reported.
    ///   - use: Takes an opened device into use and reports it as activated.
    public init(
        host: MediaDeviceRoutingManager, open: @escaping Open, discard: @escaping @MainActor (Opened) async -> Void,
        failed: (@MainActor () -> Void)? = nil,
        use: @escaping @MainActor (Opened, MediaOutputDevice, MediaOutputSession) async -> Void
    ) {
        self.host = host
        self.open = open
        self.discard = discard
        self.failed = failed
        self.use = use
    }

    /// A Boolean value that indicates whether no activation is in progress.
    public var isEmpty: Bool { attempts.isEmpty }

    /// Begins an activation, in place of one of the same device and session.
    public func activate(_ device: MediaOutputDevice, for session: MediaOutputSession) {
        let key = Key(device, session)
        attempts.removeValue(forKey: key)?.task?.cancel()
        let flow = ActivationFlow(name: device.displayName, stored: host.credential(for: device))
        attempts[key] = Attempt(flow: flow)
        perform(flow.first, device, session)
    }

    /// Passes on what the person entered; `nil` if they cancelled.
    public func answer(_ text: String?, to device: MediaOutputDevice, for session: MediaOutputSession) {
        let key = Key(device, session)
        // A cancellation that answers no question ends the attempt.
        if let prompt = attempts[key]?.prompt, prompt.isShown, prompt.answer(text) || text != nil { return }
        var attempt = attempts[key] ?? Attempt(flow: ActivationFlow(name: device.displayName, stored: nil))
        attempt.task?.cancel()
        let step = attempt.flow.answered(text)
        attempts[key] = attempt
        perform(step, device, session)
    }

    /// Cancels an activation, without a report.
    public func cancel(_ device: MediaOutputDevice, for session: MediaOutputSession) {
        attempts.removeValue(forKey: Key(device, session))?.task?.cancel()
    }

    private func perform(_ step: ActivationFlow.Step, _ device: MediaOutputDevice, _ session: MediaOutputSession) {
        let key = Key(device, session)
        switch step {
        case .open(let secret):
            let prompt = PlayerPrompt { [weak self] in self?.ask($0, device, session) }
            attempts[key]?.prompt = prompt
            attempts[key]?.task = Task { await open(device, secret, prompt, session) }
        case .forgetAndOpen:
            host.setCredential(nil, for: device)
            perform(.open(.none), device, session)
        case .ask(let request):
            ask(request, device, session)
        case .fail(let error):
            attempts[key] = nil
            host.failedToActivateDevice(device, session: session, error: error)
            failed?()
        case .finish: break
        }
    }

    private func ask(_ request: SecretRequest, _ device: MediaOutputDevice, _ session: MediaOutputSession) {
        host.requestPairingCode(
            for: device, session: session, reason: "\(request.reason)", authorizationMethod: request.method)
    }

    private func open(
        _ device: MediaOutputDevice, _ secret: PlayerSecret, _ prompt: PlayerPrompt, _ session: MediaOutputSession
    ) async {
        let key = Key(device, session)
        do throws(PlayerOpeningError) {
            let (opened, toStore) = try await open(device, secret, prompt)
            guard !Task.isCancelled, let flow = attempts.removeValue(forKey: key)?.flow else {
                return await discard(opened)
            }
            if case .finish(let secret?) = flow.opened(toStore: toStore) { host.setCredential(secret, for: device) }
            await use(opened, device, session)
        } catch {
            guard !Task.isCancelled, let step = attempts[key]?.flow.refused(error) else { return }
            attempts[key]?.prompt = nil
            perform(step, device, session)
        }
    }
}

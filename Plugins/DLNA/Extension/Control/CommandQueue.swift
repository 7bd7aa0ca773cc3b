/// The queue of commands for one device, which are sent one at a time.
///
/// A newer command replaces a waiting one of the same kind: of a dragged slider, only the last volume is sent.
@MainActor
final class CommandQueue {
    enum Kind: Hashable { case playing, seek, volume, mute }

    private var waiting: [(kind: Kind, run: @MainActor () async -> Void)] = []
    private var worker: Task<Void, Never>?
    private var current: Kind?
    private let time: MonotonicTime

    /// The seconds for a device to answer, as many as a session waits for it, so that an accepted command succeeds or
    /// fails with the session.
    static let patience = RendererSession.silenceLimit

    init(time: MonotonicTime) { self.time = time }

    /// Returns a Boolean value that indicates whether a command of a kind is running or waiting.
    func isBusy(_ kind: Kind) -> Bool { current == kind || waiting.contains { $0.kind == kind } }

    func submit(_ kind: Kind, _ run: @escaping @MainActor () async -> Void) {
        waiting.removeAll { $0.kind == kind }
        waiting.append((kind, run))
        guard worker == nil else { return }
        worker = Task { await work() }
    }

    /// Returns when everything submitted so far has been sent.
    func drain() async { await worker?.value }

    /// Discards waiting commands and cancels the running one.
    func cancel() {
        waiting = []
        worker?.cancel()
    }

    /// Performs an action as soon as the device answers, unless a newer command of the kind waits or ``patience`` has
    /// passed.
    ///
    /// - Parameter action: An action that may be performed twice, because the device may have received it although no
    ///   answer came.
    /// - Throws: The last error of `action`.
    func insist(_ kind: Kind, _ action: @MainActor () async throws -> Void) async throws {
        let deadline = time.seconds + Self.patience
        while true {
            do {
                return try await action()
            } catch {
                guard (error as? DeviceFailure)?.isSilence == true, time.seconds < deadline, !Task.isCancelled,
                    !waiting.contains(where: { $0.kind == kind })
                else { throw error }
            }
            try await time.sleep(.seconds(1))
        }
    }

    private func work() async {
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            current = next.kind
            await next.run()
            current = nil
        }
        worker = nil
    }
}

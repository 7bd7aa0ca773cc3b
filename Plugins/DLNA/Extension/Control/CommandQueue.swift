/// Sends commands to one device, one after the other.
///
/// A newer command of the same kind takes the place of one that still waits: a dragged slider sends its last level, not
/// every one on the way.
@MainActor
final class CommandQueue {
    enum Kind: Hashable { case playing, seek, volume, mute }

    private var waiting: [(kind: Kind, run: @MainActor () async -> Void)] = []
    private var worker: Task<Void, Never>?
    private var current: Kind?
    private let time: MonotonicTime

    /// Seconds for a device to answer: as long as a session waits for it, so that what was accepted is done or has failed with
    /// the session.
    static let patience = RendererSession.silenceLimit

    init(time: MonotonicTime) { self.time = time }

    /// Whether a command of that kind is on its way or waits.
    func isBusy(_ kind: Kind) -> Bool { current == kind || waiting.contains { $0.kind == kind } }

    func submit(_ kind: Kind, _ run: @escaping @MainActor () async -> Void) {
        waiting.removeAll { $0.kind == kind }
        waiting.append((kind, run))
        guard worker == nil else { return }
        worker = Task { await work() }
    }

    /// Returns when everything submitted so far has been sent.
    func drain() async { await worker?.value }

    /// Drops what waits; what is on its way is cancelled.
    func cancel() {
        waiting = []
        worker?.cancel()
    }

    /// Does it as soon as the device answers; not once a newer command of the kind waits, or after ``patience``.
    ///
    /// - Parameter action: May be done twice: the device may have heard it though no answer came.
    /// - Throws: What `action` threw last.
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

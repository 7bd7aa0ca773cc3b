import MediaDevice

/// The queue of requests of one device. It performs one at a time, in order, and repeats a request that a lost
/// connection interrupted.
@MainActor
final class WishPerformer<Player: RemotePlayer> {
    /// The time for the last requests of a device that is no longer in use.
    private static var farewell: Duration { .seconds(5) }

    private let clock: any Clock<Duration>
    private let settle: @MainActor ([PlayerWish.Kind]) -> Void
    private var player: Player?
    private var queue = WishQueue()
    private var performing: PlayerWish?
    /// The task that discards requests after waiting too long for a connection.
    private var forgetting: Task<Void, Never>?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Creates a performer without a player.
    ///
    /// - Parameter settle: A function that receives the kinds of requests that were refused or waited too long.
    init(clock: any Clock<Duration>, settle: @escaping @MainActor ([PlayerWish.Kind]) -> Void) {
        self.clock = clock
        self.settle = settle
    }

    func isPending(_ kind: PlayerWish.Kind) -> Bool { performing?.kind == kind || queue.contains(kind) }

    func add(_ wish: PlayerWish) {
        queue.add(wish)
        performNext()
    }

    /// Discards the requests that concern media that has ended.
    func mediaEnded() { queue.mediaEnded() }

    func connected(to player: Player) {
        self.player = player
        forgetting?.cancel()
        forgetting = nil
        performNext()
    }

    func connectionLost() {
        player = nil
        tellWaiters()
    }

    /// Waits until the device has answered the requests so far, at most for a moment.
    ///
    /// A level that is set while nothing plays is the only reason to open a device, which is closed right away.
    func finish() async {
        guard player != nil, performing != nil || !queue.isEmpty else { return }
        let limit = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Self.farewell)) != nil else { return }
            self?.tellWaiters()
        }
        await withCheckedContinuation { waiters.append($0) }
        limit.cancel()
    }

    /// Discards all requests, because no connection follows.
    func stop() {
        player = nil
        forgetting?.cancel()
        settle(queue.removeAll().map(\.kind))
        tellWaiters()
    }

    private func tellWaiters() {
        let told = waiters
        waiters = []
        for waiter in told { waiter.resume() }
    }

    private func performNext() {
        guard performing == nil, !queue.isEmpty else { return }
        guard let player else { return forgetLater() }
        performing = queue.takeFirst()
        Task {
            await perform(on: player)
            // Another connection was made meanwhile.
            if self.player !== player { performNext() }
            if performing == nil { tellWaiters() }
        }
    }

    private func perform(on player: Player) async {
        defer { performing = nil }
        while let wish = performing {
            do throws(MediaDeviceError) {
                try await player.perform(wish)
            } catch {
                guard error.code != .connectionFailed else {
                    queue.putBack(wish)
                    return forgetLater()
                }
                if !queue.contains(wish.kind) { settle([wish.kind]) }
                PlaybackKitLog.write("The device refused \(wish): \(error.reason ?? "it gives no reason")")
            }
            guard self.player === player else { return }
            performing = queue.takeFirst()
        }
    }

    private func forgetLater() {
        guard forgetting == nil else { return }
        forgetting = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: WishQueue.patience)) != nil, let self else { return }
            forgetting = nil
            settle(queue.removeAll().map(\.kind))
        }
    }
}

/// Looks at a device's state again whenever somebody asks for it, and after a pause: one look at a time, and any number of
/// requests during a look make one more.
///
/// For players whose device says that something changed, but not what, and for those that have to be polled.
public final class StateRefresher: Sendable {
    private let wake: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    /// Starts with a look.
    ///
    /// - Parameters:
    ///   - clock: For the pauses.
    ///   - look: Returns the pause until the next look unless somebody asks for it earlier; `nil` to wait for that.
    public init(clock: any Clock<Duration> = ContinuousClock(), look: @escaping @Sendable () async -> Duration?) {
        let (requests, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wake = wake
        wake.yield()
        task = Task {
            var pause: Task<Void, Never>?
            for await _ in requests {
                pause?.cancel()
                guard let next = await look() else { continue }
                pause = Task {
                    guard (try? await clock.sleep(for: next)) != nil else { return }
                    wake.yield()
                }
            }
            pause?.cancel()
        }
    }

    /// Asks for a look as soon as possible.
    public func request() { wake.yield() }

    /// Ends the looks; one that is being made is not waited for.
    public func stop() {
        wake.finish()
        task.cancel()
    }
}

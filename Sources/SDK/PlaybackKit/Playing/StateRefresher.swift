/// A loop that fetches a device's state on request and after a pause.
///
/// One fetch runs at a time; any number of requests during a fetch cause one more. Use it for devices that report a
/// change without its content, and for devices that have to be polled.
public final class StateRefresher: Sendable {
    private let wake: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    /// Creates a refresher and starts the first fetch.
    ///
    /// - Parameters:
    ///   - clock: The clock for the pauses.
    ///   - look: A function that fetches the state. It returns the pause until the next fetch, which a request
    ///     shortens; `nil` to wait for a request.
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

    /// Requests a fetch as soon as possible.
    public func request() { wake.yield() }

    /// Stops the refresher and cancels the fetch in progress, without waiting for it.
    public func stop() {
        wake.finish()
        task.cancel()
    }
}

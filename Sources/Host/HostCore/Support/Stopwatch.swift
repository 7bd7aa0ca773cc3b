extension Clock where Duration == Swift.Duration {
    /// Returns a function that returns the time since this call.
    func stopwatch() -> @Sendable () -> Swift.Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

import Testing

/// The condition that didn't become true in time.
struct WaitedInVain: Error, CustomStringConvertible {
    var description: String
}

/// Waits until the condition holds; how long it may take is a bound, never a pause.
func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(15), _ condition: () async throws -> Bool
) async throws {
    let limit = limit * slowness
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw WaitedInVain(description: "waited \(limit) for \(what())") }
        try await Task.sleep(for: .milliseconds(50))
    }
}

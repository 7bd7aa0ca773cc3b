import Testing

/// Waits until a condition holds, at most thirty seconds; records an issue otherwise.
@MainActor
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async rethrows {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(30)
    while clock.now < end {
        if try await condition() { return }
        try? await clock.sleep(for: .milliseconds(10))
    }
    Issue.record(what, sourceLocation: sourceLocation)
}

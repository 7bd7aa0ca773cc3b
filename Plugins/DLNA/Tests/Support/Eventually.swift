import Testing

/// Waits until a condition holds; fails the test after 20 seconds.
@MainActor
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: @MainActor () async -> Bool
) async {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
        if await condition() { return }
        // Only the pause between two checks: spinning would take time from the awaited work.
        try? await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("never: \(what)", sourceLocation: sourceLocation)
}

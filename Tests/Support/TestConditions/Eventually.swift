public import Testing

/// Waits until a condition holds, at most thirty seconds; records an issue otherwise.
///
/// Every test of a module may be on its way at once, so the limit is far above what one takes.
public func eventually(
    _ what: Comment, isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async rethrows {
    let end = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < end {
        if try await condition() { return }
        // Only the pause between two checks: spinning would take time from the awaited work.
        try? await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("never: \(what)", sourceLocation: sourceLocation)
}

/// Waits until `condition` holds, giving way to other work of the main actor in between. Bounded by the suite's limit.
@MainActor
func eventually(_ condition: @MainActor () -> Bool) async {
    while !condition() {
        await Task.yield()
    }
}

/// Lets everything that is enqueued on the main actor now run.
@MainActor
func nextTurns(_ count: Int = 20) async {
    for _ in 0..<count { await Task.yield() }
}

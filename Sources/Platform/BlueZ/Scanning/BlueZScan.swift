import Synchronization

/// A wish to scan, until ``end()`` or until it is let go. With the last one of a client scanning stops.
package final class BlueZScan: Sendable {
    private let onEnd: Mutex<(@Sendable () -> Void)?>

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = Mutex(onEnd) }

    deinit { end() }

    package func end() {
        let action = onEnd.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}

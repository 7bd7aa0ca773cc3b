import Synchronization

/// Ends a decoder's wait for its source, from any thread; for good.
package final class DecodingStop: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package func stop() { flag.store(true, ordering: .relaxed) }

    package var isStopped: Bool { flag.load(ordering: .relaxed) }
}

package import AVKit
package import HostInterface
import Observation

/// An observation that publishes the state of a control object whenever it changes.
///
/// Changes in one turn of the main actor are published together. A new state isn't published if it equals the published
/// one, or differs only in a position that readers compute themselves (``PlaybackState/foretells(_:)``). An object can
/// change without notifying Observation, so it is also read once a second during playback, and after commands
/// (``readAgain()``). The observation retains the control object, and ends with ``cancel()`` or when it is released.
@MainActor
package final class PlaybackObservation {
    /// The last published state, or the initial one.
    package private(set) var published: PlaybackState
    private let control: any AVPlaybackUserInterfaceControllable
    private let publish: @MainActor (PlaybackState) -> Void
    private let pause: @Sendable () async throws -> Void
    private var isCancelled = false
    private var reading: Task<Void, Never>?

    /// Reads the control object once, without publishing, and starts the observation.
    ///
    /// - Parameter pause: A function that returns after the pause between two readings during playback.
    package init(
        of control: any AVPlaybackUserInterfaceControllable,
        pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) },
        publish: @escaping @MainActor (PlaybackState) -> Void
    ) {
        self.control = control
        self.pause = pause
        self.publish = publish
        published = PlaybackState()
        published = readTracked()
        readWhilePlaying()
    }

    isolated deinit { reading?.cancel() }

    package func cancel() {
        isCancelled = true
        reading?.cancel()
        reading = nil
    }

    /// Reads the object in the next turn, even if it reports no change.
    package func readAgain() {
        Task { [weak self] in self?.take(PlaybackStateReader.state(of:)) }
    }

    private func readWhilePlaying() {
        guard published.isPlaying, !isCancelled else {
            reading?.cancel()
            reading = nil
            return
        }
        guard reading == nil else { return }
        reading = Task { [weak self, pause] in
            while (try? await pause()) != nil, !Task.isCancelled {
                guard let self else { return }
                self.take(PlaybackStateReader.state(of:))
            }
        }
    }

    private func readTracked() -> PlaybackState {
        withObservationTracking {
            PlaybackStateReader.state(of: control)
        } onChange: { [weak self] in
            // Runs before the value is written, once per tracking; the next turn sees the whole turn's writes.
            Task { @MainActor in self?.controlChanged() }
        }
    }

    private func controlChanged() { take { _ in readTracked() } }

    private func take(_ read: @MainActor (any AVPlaybackUserInterfaceControllable) -> PlaybackState) {
        guard !isCancelled else { return }
        let state = read(control)
        guard !published.foretells(state) else { return }
        published = state
        publish(state)
        readWhilePlaying()
    }
}

extension PlaybackState {
    // A sink's delay is measured by these positions, and players show their picture with it.
    private static let positionTolerance = 0.02

    /// Returns a Boolean value that indicates whether `newer` adds no information to this state.
    ///
    /// It is true if both states are equal, or if they differ only in the position, run at the same rate, and this
    /// position extrapolated to the newer host time is within 20 milliseconds of the newer one. A paused position
    /// must be equal.
    package func foretells(_ newer: PlaybackState) -> Bool {
        if self == newer { return true }
        guard position.rate == newer.position.rate else { return false }
        var aligned = newer
        aligned.position = position
        guard self == aligned else { return false }
        guard position.rate != 0 else { return position.value == newer.position.value }
        let expected = position.value + position.rate * (newer.position.hostTime - position.hostTime)
        return abs(expected - newer.position.value) <= Self.positionTolerance
    }
}

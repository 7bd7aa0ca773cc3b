/// Which blocks of a sink's samples go on to the device: from the first that is heard until it has been silent for a while.
///
/// By what the samples are, and not by who is connected: a program that shows levels connects as well, and so does one that plays
/// silence for hours.
package struct SoundGate: Sendable {
    package enum Phase: Sendable, Hashable {
        /// Nobody takes samples, and there is nothing to be heard.
        case listening
        /// There is something, and nobody takes it yet: programs wait with the rest.
        case waiting
        case open
        /// Nobody wants it: samples are dropped until there is silence.
        case deaf
    }

    package enum Outcome: Sendable, Hashable {
        case drop
        /// It is kept; if it is the first, somebody has to be told.
        case keep(isFirst: Bool)
        case pass
        /// It goes on, and nothing behind it.
        case passAsLast
    }

    /// Frames of silence after which the device is let go.
    package let patience: Int
    /// Frames of silence after which what comes is a new piece.
    package let pause: Int
    package private(set) var phase = Phase.listening
    private var silentFrames = 0

    package init(patience: Int, pause: Int) {
        self.patience = patience
        self.pause = pause
    }

    /// Whether samples are wanted: programs are kept waiting while they are not.
    package var takesSamples: Bool { phase != .waiting }

    /// Decides about a block.
    package mutating func take(isSilent: Bool, frames: Int) -> Outcome {
        silentFrames = isSilent ? silentFrames + frames : 0
        switch phase {
        case .listening:
            guard !isSilent else { return .drop }
            phase = .waiting
            return .keep(isFirst: true)
        case .waiting: return .keep(isFirst: false)
        case .open:
            guard silentFrames >= patience else { return .pass }
            phase = .listening
            return .passAsLast
        case .deaf:
            if silentFrames >= pause { phase = .listening }
            return .drop
        }
    }

    /// Somebody takes what comes.
    package mutating func open() {
        phase = .open
        silentFrames = 0
    }

    /// Nobody takes anything any more.
    package mutating func shut() {
        phase = .deaf
        silentFrames = 0
    }
}

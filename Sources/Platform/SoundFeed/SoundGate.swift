/// Decides which blocks of a sink's samples go on to the device: from the first audible block until a period of
/// silence.
///
/// The samples decide, not the connected programs: a level meter connects as well, and so does a program that plays
/// silence for hours.
package struct SoundGate: Sendable {
    package enum Phase: Sendable, Hashable {
        /// No reader, and only silence.
        case listening
        /// There is audio but no reader yet: programs wait.
        case waiting
        case open
        /// The reader left: samples are dropped until there is silence.
        case deaf
    }

    package enum Outcome: Sendable, Hashable {
        case drop
        /// Keep the block; the first one is reported.
        case keep(isFirst: Bool)
        case pass
        /// Pass the block on as the last one.
        case passAsLast
    }

    /// Frames of silence after which the device is let go.
    package let patience: Int
    /// Frames of silence after which further audio starts a new piece.
    package let pause: Int
    package private(set) var phase = Phase.listening
    private var silentFrames = 0

    package init(patience: Int, pause: Int) {
        self.patience = patience
        self.pause = pause
    }

    /// A Boolean value that indicates whether samples are accepted; programs wait while they aren't.
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

    /// Records that a reader takes samples.
    package mutating func open() {
        phase = .open
        silentFrames = 0
    }

    /// Records that the reader left.
    package mutating func shut() {
        phase = .deaf
        silentFrames = 0
    }
}

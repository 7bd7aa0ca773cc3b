import Foundation
import ScreenEncoding

/// Sends the desktop's sound, and silence while there is none: a device that waits for sound would stop the picture.
///
/// For one thread.
final class SoundLoop {
    private static let pause: UInt32 = 10_000
    private static let retryInterval: Int64 = 3_000_000
    /// Time without samples after which silence takes their place, in microseconds: while there is no sound server, while
    /// there is one, and at most.
    private static let firstPatience: Int64 = 20_000
    private static let patience: Int64 = 200_000
    private static let longestPatience: Int64 = 2_000_000
    private static let beginning: Int64 = 5_000_000

    private var source: DesktopSound?
    private let target: any SoundTarget
    private var retried: Int64 = 0
    /// The end of the samples so far, in the source's time.
    private var end: Int64 = TimedPicture.now
    private var patience = patience
    /// The time of the first samples of this source.
    private var begun: Int64?

    init(source: DesktopSound, target: any SoundTarget) {
        self.source = source
        self.target = target
    }

    func run(while goesOn: () -> Bool, onLoss: () -> Void, onReturn: () -> Void) {
        while goesOn() {
            let now = TimedPicture.now
            do throws(ScreenEncodingError) {
                while let next = try source?.next() {
                    hear(late: now - next.time, at: now)
                    take(next.samples, at: next.time)
                }
            } catch {
                source = nil
                begun = nil
                // Nothing more comes, so that there is nothing to wait for.
                patience = Self.firstPatience
                retried = now
                onLoss()
            }
            if source == nil, now - retried >= Self.retryInterval {
                retried = now
                source = try? DesktopSound()
                if source != nil { onReturn() }
            }
            if now - end > patience {
                let count = (now - end - patience / 2) * Int64(SoundEncoder.rate) / 1_000_000
                take([Int16](repeating: 0, count: Int(count) * 2), at: end)
            }
            usleep(Self.pause)
        }
    }

    /// A sound server that is late by nature must not be taken for silence. At the beginning it is late only until it knows
    /// that somebody listens.
    private func hear(late: Int64, at now: Int64) {
        let begun = begun ?? now
        self.begun = begun
        patience = max(patience, Self.patience)
        guard now - begun > Self.beginning else { return }
        patience = min(Self.longestPatience, max(patience, late + Self.patience / 2))
    }

    private func take(_ samples: [Int16], at begin: Int64) {
        end = max(end, begin + Int64(samples.count / 2) * 1_000_000 / Int64(SoundEncoder.rate))
        target.take(samples, at: begin)
    }
}

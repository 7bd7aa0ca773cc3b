import LiveSound
import MediaDecoding
import MediaDevice

/// Uninterrupted sound for a device, from one place of the media on.
@MainActor
final class BluetoothRun {
    /// The reason for the end of the sound.
    enum Outcome {
        case ended
        case lost(BluetoothAudioError)
    }

    /// The position that is heard, in seconds of the media, at a host time.
    struct Heard {
        let place: Double
        let time: CMTime
        let isRunning: Bool
    }

    private(set) var outcome: Outcome?
    private(set) var heard: Heard?
    /// A handler of changes of ``outcome`` or ``heard``.
    var onChange: () -> Void = {}
    /// A key of the device was pressed.
    var onKey: (BluetoothAudioKey) -> Void = { _ in }
    /// A handler of media that can't be read.
    var onFailure: (DecodingError) -> Void = { _ in }

    /// Frames that are handed on at a time.
    private static let batch = 4096

    private let output: BluetoothAudioOutput
    private let start: Double
    private var isPaused: Bool
    private var feeder: Task<Void, Never>?
    private var follower: Task<Void, Never>?

    /// - Parameter start: Seconds of the media at which the output begins.
    init(_ output: BluetoothAudioOutput, from start: Double, isPaused: Bool) {
        self.output = output
        self.start = start
        self.isPaused = isPaused
    }

    func begin(_ source: SampleSource) {
        feeder = Task { [weak self, output] in
            do throws(DecodingError) {
                while !Task.isCancelled {
                    let batch = try await source.frames(Self.batch)
                    if !batch.samples.isEmpty, await !output.write(batch.samples) { return }
                    if batch.isLast { return output.finish() }
                }
            } catch .cancelled {
                // By whom it is ended.
            } catch {
                self?.onFailure(error)
            }
        }
        follower = Task { [weak self, output] in
            for await event in output.events { self?.happened(event) }
        }
    }

    private func happened(_ event: BluetoothAudioOutput.Event) {
        switch event {
        case .heard(let seconds, let time, let isRunning):
            heard = Heard(
                place: start + seconds, time: CMTime(value: time, timescale: 1_000_000_000), isRunning: isRunning)
        case .key(let key): return onKey(key)
        case .ended: outcome = .ended
        case .failed(let error): outcome = .lost(error)
        }
        onChange()
    }

    func setPaused(_ isPaused: Bool) {
        guard isPaused != self.isPaused else { return }
        self.isPaused = isPaused
        output.setPaused(isPaused)
    }

    func describe(_ media: BluetoothAudioMedia) { output.describe(media) }

    /// Seconds of the media.
    func place(at time: CMTime) -> Double {
        guard let heard else { return start }
        return heard.place + (heard.isRunning ? max(0, (time - heard.time).seconds) : 0)
    }

    /// Silences it.
    func end() async {
        follower?.cancel()
        output.close()
        feeder?.cancel()
        await feeder?.value
    }
}

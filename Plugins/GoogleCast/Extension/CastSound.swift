import CastStreaming
import Opus
import PlaybackKit

/// The sound that a program plays at the moment, on its way to a device: reads, encodes and sends it.
actor CastSound: CastLiveStream {
    /// The time for which sound may be sent in advance.
    private static let lead = 0.2
    /// The time without sound after which silence keeps the stream alive.
    private static let keepAlive = 2.0
    /// The time by which a device may play later than its delay says: it estimates the clock from packets, which can be late.
    private static let lateness = 0.25
    private static let silence = [Int16](repeating: 0, count: AudioFormat.length * AudioFormat.channels)

    nonisolated let events: AsyncStream<CastLiveEvent>
    nonisolated let transmission: CastTransmission
    private let sink: AsyncStream<CastLiveEvent>.Continuation
    private let samples: PlayableSamples
    private let encoder: OpusEncoder
    /// The samples that aren't sent yet.
    private var pending: [Int16] = []
    /// The time of the next sample; `nil` before the first, and after a pause.
    private var next: Double?
    private var lastFrame: Double
    /// The position of the first sample, in seconds: not 0 after a loss of the device.
    private var start: Double?
    /// The sent frames with sound.
    private var frames = 0
    private var isPaused = false
    private var resumption: CheckedContinuation<Void, Never>?
    private var tasks: [Task<Void, Never>] = []
    private var isClosed = false

    /// - Parameter samples: Signed 16-bit samples, in stereo, at the rate of the stream.
    init(_ samples: PlayableSamples, _ encoder: sending OpusEncoder, to transmission: CastTransmission) {
        self.samples = samples
        self.encoder = encoder
        self.transmission = transmission
        lastFrame = CastPlayer.now
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    func begin() {
        guard !isClosed else { return }
        tasks = [
            Task { [weak self, transmission] in for await event in transmission.events { await self?.happened(event) }
            },
            Task { [weak self] in while await self?.keepAlive() == true {} },
            Task { [weak self] in await self?.read() },
        ]
    }

    private var delay: Double { transmission.delay }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        resumption?.resume()
        resumption = nil
        for task in tasks { task.cancel() }
        sink.finish()
        await transmission.close()
    }

    /// Pauses or resumes. While it is paused, the program that plays waits.
    func setPlaying(_ isPlaying: Bool) {
        guard isPaused == isPlaying, !isClosed else { return }
        isPaused = !isPlaying
        if isPaused {
            let late = next.map { $0 + delay - CastPlayer.now } ?? 0
            sink.yield(.paused(position: max(0, position - max(0, late))))
            next = nil
        } else {
            resumption?.resume()
            resumption = nil
        }
    }

    private var position: Double { (start ?? 0) + Double(frames) * AudioFormat.duration }

    // MARK: Sending

    private func read() async {
        for await block in samples {
            if start == nil { start = block.presentationTime.seconds }
            pending += block.signed16
            guard await sendSamples(AudioFormat.length) else { return }
        }
        guard !isClosed else { return }
        guard await sendSamples(1) else { return }
        let rest = (next ?? 0) + delay + Self.lateness - CastPlayer.now
        guard (try? await Task.sleep(for: .seconds(max(0, rest)))) != nil else { return }
        sink.yield(.finished)
    }

    /// Sends what is complete, each at its time.
    ///
    /// - Parameter least: The samples of each channel that are worth a frame; the rest of it is silence.
    /// - Returns: `false` after the end.
    private func sendSamples(_ least: Int) async -> Bool {
        let length = AudioFormat.length * AudioFormat.channels
        while pending.count >= least * AudioFormat.channels {
            while isPaused, !isClosed { await withCheckedContinuation { resumption = $0 } }
            let early = (next ?? 0) - CastPlayer.now - Self.lead
            if early > 0, (try? await Task.sleep(for: .seconds(early))) == nil { return false }
            guard !isClosed else { return false }
            guard !isPaused else { continue }
            var frame = Array(pending.prefix(length))
            pending.removeFirst(frame.count)
            frame += [Int16](repeating: 0, count: length - frame.count)
            await send(frame)
        }
        return !isClosed
    }

    private func send(_ frame: [Int16], isSound: Bool = true) async {
        let now = CastPlayer.now
        // A frame that is late by at most half the delay leaves no gap.
        let time = next.flatMap { $0 < now - min(Self.lead, delay / 2) ? nil : $0 } ?? now
        if isSound {
            if time != next { sink.yield(.playing(position: position, time: time + delay)) }
            frames += 1
            next = time + AudioFormat.duration
        }
        lastFrame = now
        guard let packet = try? encoder.encode(frame) else { return }
        await transmission.send(packet, .sound, from: time)
    }

    /// Both sides give up what is silent for too long.
    ///
    /// - Returns: `false` after the end.
    private func keepAlive() async -> Bool {
        guard !isClosed else { return false }
        if CastPlayer.now - lastFrame >= Self.keepAlive {
            next = nil
            await send(Self.silence, isSound: false)
        }
        let pause = max(0.01, lastFrame + Self.keepAlive - CastPlayer.now)
        return (try? await Task.sleep(for: .seconds(pause))) != nil
    }

    private func happened(_ event: CastTransmission.Event) {
        if case .report(let report) = event { sink.yield(report) }
    }
}

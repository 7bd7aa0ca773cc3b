import CastStreaming
import DeviceConnections
import Foundation
import GoogleCastProtocol
import Opus
import PlaybackKit

/// The sound that a program plays at the moment, on its way to a device: reads, encodes and sends it.
actor CastSound {
    enum Event: Sendable {
        /// - Parameters:
        ///   - position: The seconds of sound before the one that is heard at `time`.
        ///   - time: Of the host clock.
        case playing(position: Double, time: Double)
        case paused(position: Double)
        /// The program has ended, and its last sample was heard.
        case finished
        case failed(MediaDeviceError)
    }

    /// The time for which sound may be sent in advance.
    private static let lead = 0.2
    /// The time without sound after which silence keeps the stream alive.
    private static let keepAlive = 2.0
    /// The time by which a device may play later than its delay says: it estimates the clock from packets, which can be late.
    private static let lateness = 0.25
    private static let silence = [Int16](repeating: 0, count: AudioFormat.length * AudioFormat.channels)

    nonisolated let events: AsyncStream<Event>
    private let sink: AsyncStream<Event>.Continuation
    private let link: DatagramLink
    private let delay: Double
    private let samples: PlayableSamples
    private let encoder: OpusEncoder
    private var sender: AudioStreamSender
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

    /// Begins to send samples.
    ///
    /// - Parameters:
    ///   - samples: Signed 16-bit samples, in stereo, at the rate of the stream.
    ///   - device: The address and port of the answer.
    ///   - receiver: The receiver's number of the stream.
    static func open(
        _ samples: PlayableSamples, offer: StreamOffer, to device: NWEndpoint, receiver: UInt32
    ) async throws(MediaDeviceError) -> CastSound {
        let encoder: OpusEncoder
        do throws(OpusError) { encoder = try OpusEncoder(bitrate: AudioFormat.bitrate) } catch {
            throw MediaDeviceError(
                .notSupported, "Live sound needs libopus, which can't be used: \(error.message). Install libopus0.")
        }
        let link: DatagramLink
        do throws(TransportFailure) { link = try await DatagramLink.open(to: device) } catch {
            throw MediaDeviceError(error)
        }
        let sound = CastSound(link, samples, encoder, offer, receiver)
        await sound.begin()
        return sound
    }

    private init(
        _ link: DatagramLink, _ samples: PlayableSamples, _ encoder: sending OpusEncoder, _ offer: StreamOffer,
        _ receiver: UInt32
    ) {
        self.link = link
        delay = offer.delay
        self.samples = samples
        self.encoder = encoder
        let now = CastPlayer.now
        // Seconds since 1900, of which a receiver only takes differences.
        let epoch = Date().timeIntervalSince1970 + 2_208_988_800 - now
        sender = AudioStreamSender(
            source: offer.source, receiver: receiver, payloadType: offer.payloadType, cipher: offer.cipher, now: now,
            epoch: epoch)
        lastFrame = now
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    private func begin() {
        guard !isClosed else { return }
        tasks = [
            Task { [weak self, link] in for await datagram in link.datagrams { await self?.received(datagram) } },
            Task { [weak self] in while await self?.tick() == true {} },
            Task { [weak self] in await self?.read() },
        ]
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        resumption?.resume()
        resumption = nil
        for task in tasks { task.cancel() }
        sink.finish()
        link.close()
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
        await link.send(sender.send(packet, from: time, at: now))
    }

    private func received(_ datagram: [UInt8]) async {
        let datagrams = sender.received(datagram, at: CastPlayer.now)
        if !datagrams.isEmpty { await link.send(datagrams) }
    }

    /// - Returns: `false` after the end.
    private func tick() async -> Bool {
        guard !isClosed else { return false }
        let now = CastPlayer.now
        guard !sender.isAbandoned(at: now) else {
            fail("The device doesn't answer the sound any more.", .timedOut)
            return false
        }
        // Both sides give up what is silent for too long.
        if now - lastFrame > Self.keepAlive {
            next = nil
            await send(Self.silence, isSound: false)
        }
        await link.send(sender.tick(at: now))
        let pause = max(0.01, sender.nextWake - now)
        return (try? await Task.sleep(for: .seconds(pause))) != nil
    }

    private func fail(_ reason: String, _ detail: MediaDeviceError.Detail) {
        sink.yield(.failed(MediaDeviceError(detail, reason)))
    }
}

import Glibc
import HostCore
import HostInterface
import MediaReading
import SoundFeed
import Synchronization

/// Has a medium read, and sends its samples to the extension's process that is connected at the time.
///
/// Its thread owns the reader. At most one packet of it is kept here; the reader waits while nothing is taken.
final class MediaSender: MediaDelivery {
    /// The most frames sent at a time: a tenth of a second.
    private static let blockLength = 4096

    private struct State {
        var timeline: MediaTimeline
        var told: MediaPosition?
    }

    private enum Failure: Error {
        case outlet(SampleOutlet.Stop)
        case decoding(DecodingError)
    }

    let events: AsyncStream<MediaDeliveryEvent>
    private let media: DeliveredMedia
    private let outlet: SampleOutlet
    private let stop = ReadingStop()
    private let state: Mutex<State>
    private let continuation: AsyncStream<MediaDeliveryEvent>.Continuation

    init(_ media: DeliveredMedia, patience: UInt64 = SampleOutlet.usualPatience) throws(HostError) {
        self.media = media
        outlet = try SampleOutlet(media.format, latency: media.latency, patience: patience)
        state = Mutex(State(timeline: MediaTimeline(rate: media.format.rate)))
        // The last position and the end are of interest.
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    func connect() throws(HostError) -> DeliveredSamples { try outlet.connect() }
    func hold(_ isHeld: Bool) { outlet.hold(isHeld) }

    func end() {
        stop.stop()
        outlet.end()
    }

    func setPlaying(_ isPlaying: Bool) {
        change { $0.setPlaying(isPlaying, at: SamplePace.now) }
        outlet.interrupt()
    }

    func seek(toSeconds seconds: Double) {
        change { $0.seek(toSeconds: seconds, at: SamplePace.now) }
        outlet.interrupt()
    }

    /// Changes the timeline, and tells a new position.
    @discardableResult
    private func change<Value>(_ body: (inout MediaTimeline) -> Value) -> Value {
        state.withLock { state in
            let value = body(&state.timeline)
            let position = state.timeline.position
            if state.told != nil, state.told != position {
                state.told = position
                continuation.yield(.position(position))
            }
            return value
        }
    }

    // MARK: On the thread

    func run() {
        defer { continuation.finish() }
        do throws(Failure) {
            let reader = try open()
            try deliver(reader)
            continuation.yield(.over(.success(())))
        } catch {
            let reason: HostError? =
                switch error {
                case .outlet(let stop): stop.hostError
                case .decoding(let error): stop.isStopped ? nil : HostError(error)
                }
            if let reason { continuation.yield(.over(.failure(reason))) }
        }
    }

    private func open() throws(Failure) -> MediaReader {
        let reader: MediaReader
        do throws(DecodingError) {
            reader = try MediaReader(media.source, rate: media.format.rate, stop: stop)
        } catch {
            throw .decoding(error)
        }
        change { timeline in
            timeline.opened(duration: reader.facts.duration)
            if let start = media.startPosition, start > 0, reader.facts.isSeekable {
                timeline.seek(toSeconds: start, at: SamplePace.now)
            }
        }
        state.withLock { state in
            state.told = state.timeline.position
            continuation.yield(.opened(reader.facts, state.timeline.position))
        }
        return reader
    }

    private func deliver(_ reader: MediaReader) throws(Failure) {
        var pending: ArraySlice<Int16> = []
        var isAtEnd = false
        do {
            while true {
                _ = try outlet.receiver()
                let (order, isPlaying) = change { ($0.takeOrder(), $0.isPlaying) }
                if let order {
                    pending = []
                    isAtEnd = false
                    try reader.seek(toFrame: order)
                }
                if !isPlaying {
                    _ = try outlet.isReady(-1, 0, within: nil)
                } else if !pending.isEmpty {
                    let count = try send(pending.prefix(Self.blockLength * 2))
                    pending = pending.dropFirst(count)
                } else if isAtEnd {
                    let rest = change { $0.rest(at: SamplePace.now) }
                    guard rest > 0 else { return try outlet.finish() }
                    _ = try outlet.isReady(-1, 0, within: rest)
                } else if try isReadable(reader) {
                    guard let samples = try reader.read() else {
                        isAtEnd = true
                        continue
                    }
                    pending = samples[...]
                }
            }
        } catch let error as SampleOutlet.Stop {
            throw .outlet(error)
        } catch {
            throw .decoding(error as? DecodingError ?? .cancelled)
        }
    }

    /// Sends a block once it is time.
    ///
    /// - Returns: The number of samples that were sent: none if something else has to be looked at.
    private func send(_ samples: ArraySlice<Int16>) throws(SampleOutlet.Stop) -> Int {
        guard let time = change({ $0.time(at: SamplePace.now) }) else { return 0 }
        let pause = SampleSchedule.pause(until: time, at: SamplePace.now)
        guard pause == 0 else {
            _ = try outlet.isReady(-1, 0, within: pause)
            return 0
        }
        let frame = state.withLock(\.timeline.frame)
        try outlet.send(SamplePacket(frame: frame, time: time).packet(of: samples))
        change { $0.delivered(samples.count / 2) }
        return samples.count
    }

    /// Waits for the reader; not for one that has ended, or that has to be replaced.
    private func isReadable(_ reader: MediaReader) throws(SampleOutlet.Stop) -> Bool {
        guard let descriptor = reader.descriptor else { return true }
        let limit = change { $0.patience(at: SamplePace.now) }
        if try outlet.isReady(descriptor, POLLIN, within: limit) { return true }
        change { $0.waited(until: SamplePace.now) }
        return false
    }
}

extension HostError {
    /// Creates the error of a medium that can't be read.
    fileprivate init(_ error: DecodingError) {
        let code: Code =
            switch error {
            case .unreadable, .untrusted: .unreachableURL
            case .unsupported, .noAudio: .unsupportedFormat
            case .cancelled: .cancelled
            }
        self.init(code, error.sentence)
    }
}

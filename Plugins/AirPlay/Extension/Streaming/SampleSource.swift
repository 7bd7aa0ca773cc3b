import AirPlayProtocol
import Dispatch
import MediaDecoding

/// Reads media on a thread of its own and gives it as packets.
actor SampleSource {
    struct Batch: Sendable {
        let packets: [[UInt8]]
        let isLast: Bool
    }

    nonisolated let facts: MediaFacts
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let queue: DecodingQueue
    private let stop: DecodingStop
    private let decoder: AudioDecoder
    private var pending: [Int16] = []
    private var isOver = false

    private init(queue: DecodingQueue, stop: DecodingStop, decoder: sending AudioDecoder) {
        self.queue = queue
        self.stop = stop
        facts = decoder.facts
        self.decoder = decoder
    }

    /// Opens the media on the source's thread.
    ///
    /// - Parameter stop: Ends every wait for the media.
    static func open(_ address: String, stop: DecodingStop) async throws(DecodingError) -> SampleSource {
        let queue = DecodingQueue()
        let result: Result<SampleSource, DecodingError> = await withCheckedContinuation { continuation in
            queue.run {
                do throws(DecodingError) {
                    let decoder = try AudioDecoder(address: address, rate: StreamDescription.frameRate, stop: stop)
                    continuation.resume(returning: .success(SampleSource(queue: queue, stop: stop, decoder: decoder)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// The next packets; the last one is filled up with silence.
    func packets(_ count: Int) throws(DecodingError) -> Batch {
        let size = LosslessFrame.frameCount * 2
        while pending.count < count * size, !isOver {
            if let samples = try decoder.read() { pending += samples } else { isOver = true }
        }
        let whole = min(count, isOver ? (pending.count + size - 1) / size : pending.count / size)
        let packets = (0..<whole).map { index in
            LosslessFrame.encode(pending[min(pending.count, index * size)...])
        }
        pending.removeFirst(min(pending.count, whole * size))
        return Batch(packets: packets, isLast: isOver && pending.isEmpty)
    }

    func seek(toFrame frame: Int64) throws(DecodingError) {
        pending = []
        isOver = false
        try decoder.seek(toFrame: frame)
    }

    /// Ends what it waits for, from anywhere.
    nonisolated func close() { stop.stop() }
}

/// A thread's worth of order for work that waits for files and networks.
final class DecodingQueue: SerialExecutor, Sendable {
    private let queue = DispatchQueue(label: "org.mdhost.airplay.decoding")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

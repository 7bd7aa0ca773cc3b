import Dispatch
import MediaDecoding
import MediaDevice

/// Media that is read and decoded on a thread of its own.
package actor DecodedSource: SampleSource {
    package nonisolated let facts: MediaFacts
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let queue: DecodingQueue
    private let stop: DecodingStop
    private let decoder: AudioDecoder
    private var pending = PendingSamples()

    private init(queue: DecodingQueue, stop: DecodingStop, decoder: sending AudioDecoder) {
        self.queue = queue
        self.stop = stop
        facts = decoder.facts
        self.decoder = decoder
    }

    /// Opens the media on the source's thread. Cancelling the task ends the wait for it.
    ///
    /// - Parameters:
    ///   - rate: The wanted sample rate, in Hz.
    ///   - information: Contains whether any certificate of the server is accepted.
    ///   - stop: Ends every wait for the media.
    package static func open(
        _ address: String, rate: Int = 44_100, information: MediaOutputSession.MediaInformation? = nil,
        stop: DecodingStop
    ) async throws(DecodingError) -> DecodedSource {
        let queue = DecodingQueue()
        var trust = CertificateTrust()
        if information?.acceptsAnyCertificate == true, let server = CertificateTrust.server(of: address) {
            trust.exempt = [server]
        }
        let result: Result<DecodedSource, DecodingError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.run { [trust] in
                    do throws(DecodingError) {
                        let decoder = try AudioDecoder(address: address, rate: rate, trust: trust, stop: stop)
                        continuation.resume(
                            returning: .success(DecodedSource(queue: queue, stop: stop, decoder: decoder)))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
            }
        } onCancel: {
            stop.stop()
        }
        return try result.get()
    }

    package func frames(_ count: Int) throws(DecodingError) -> SampleBatch {
        while !pending.suffice(for: count) {
            if let samples = try decoder.read() { pending.append(samples) } else { pending.end() }
        }
        return pending.take(count)
    }

    package func seek(toFrame frame: Int64) throws(DecodingError) {
        pending = PendingSamples()
        try decoder.seek(toFrame: frame)
    }

    /// Ends a wait for data, from any thread.
    package nonisolated func close() { stop.stop() }
}

/// A thread's worth of order for work that waits for files and networks.
private final class DecodingQueue: SerialExecutor, Sendable {
    private let queue = DispatchQueue(label: "org.mdhost.decoding")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

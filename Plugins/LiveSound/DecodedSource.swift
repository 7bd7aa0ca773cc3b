import Dispatch
import MediaDevice
package import MediaReading

/// Media that the host's reader decodes, read on a thread of its own.
package actor DecodedSource: SampleSource {
    package nonisolated let facts: MediaFacts
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let queue: ReadingQueue
    private let stop: ReadingStop
    private let reader: MediaReader
    private var pending = PendingSamples()

    private init(queue: ReadingQueue, stop: ReadingStop, reader: sending MediaReader) {
        self.queue = queue
        self.stop = stop
        facts = reader.facts
        self.reader = reader
    }

    /// Opens the media of a session. Cancelling the task ends the wait for it.
    ///
    /// - Parameters:
    ///   - source: The session's readers; `nil` if there is no host.
    ///   - rate: The wanted sample rate, in Hz.
    ///   - stop: Ends every wait for the media.
    package static func open(
        _ source: MediaReaderSource?, rate: Int = 44_100, stop: ReadingStop
    ) async throws(DecodingError) -> DecodedSource {
        guard let source else { throw .unreadable("there is no program that decodes it") }
        let queue = ReadingQueue()
        let result: Result<DecodedSource, DecodingError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.run {
                    do throws(DecodingError) {
                        let reader = try MediaReader(source, rate: rate, stop: stop)
                        continuation.resume(
                            returning: .success(DecodedSource(queue: queue, stop: stop, reader: reader)))
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
            if let samples = try reader.read() { pending.append(samples) } else { pending.end() }
        }
        return pending.take(count)
    }

    package func seek(toFrame frame: Int64) throws(DecodingError) {
        pending = PendingSamples()
        try reader.seek(toFrame: frame)
    }

    /// Ends a wait for data, from any thread.
    package nonisolated func close() { stop.stop() }
}

/// A thread's worth of order for work that waits for files and networks.
private final class ReadingQueue: SerialExecutor, Sendable {
    private let queue = DispatchQueue(label: "org.mdhost.reading")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

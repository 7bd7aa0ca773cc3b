/// Reads the sound of media through the host's reader, a process of its own: interleaved stereo, 16 bit, at one rate.
///
/// If the process ends, another one continues where it was; a stream of the host ends with an error instead. Media that
/// crashes it again and again ends with an error, too. Not for two threads at a time; calls wait for the reader.
package final class MediaReader {
    /// The processes that may be started without anything being read, and one more for each second that is read.
    private static let mostProcesses = 3

    package let facts: MediaFacts
    /// The sample rate of the output, in Hz.
    package let rate: Int

    private let source: MediaReaderSource
    private let stop: ReadingStop
    private var connection: ReaderConnection?
    /// The next frame of the media.
    private var position: Int64 = 0
    /// A second for each process that was started, less the frames that were read since.
    private var debt = 0
    /// The frames that are read again, because the media has an end and can't be sought in.
    private var repeated = 0

    /// Opens the media.
    ///
    /// - Parameters:
    ///   - source: The host.
    ///   - rate: 8,000 to 192,000 Hz.
    ///   - stop: Ends every wait.
    /// - Throws: ``DecodingError``.
    package init(_ source: MediaReaderSource, rate: Int, stop: ReadingStop) throws(DecodingError) {
        self.source = source
        self.rate = rate
        self.stop = stop
        var debt = 0
        let connection = try Self.connect(source, rate, stop, &debt)
        self.connection = connection
        self.debt = debt
        facts = connection.facts
    }

    /// The descriptor that is readable when ``read()`` returns without a wait; `nil` if it may be called at any time. It holds
    /// until the next call.
    package var descriptor: Int32? { connection.flatMap { $0.hasEnded ? nil : $0.socket } }

    /// Returns the next samples, left, right, left, …: as many as the source provides at a time.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: ``DecodingError``. Damaged places are skipped; only an unreadable source ends it.
    package func read() throws(DecodingError) -> [Int16]? {
        while true {
            do throws(ReaderConnection.Failure) {
                guard var samples = try current().read() else { return nil }
                if repeated > 0 {
                    let count = min(repeated, samples.count / 2)
                    repeated -= count
                    samples.removeFirst(count * 2)
                    if samples.isEmpty { continue }
                }
                position += Int64(samples.count / 2)
                debt = max(0, debt - samples.count / 2)
                return samples
            } catch {
                try recover(from: error)
            }
        }
    }

    /// Continues at another position, exact to the frame if the source has timestamps.
    ///
    /// - Parameter frame: At ``rate``, from the beginning.
    package func seek(toFrame frame: Int64) throws(DecodingError) {
        position = max(0, frame)
        do throws(ReaderConnection.Failure) { try current().seek(toFrame: position) } catch { try recover(from: error) }
    }

    private func current() throws(ReaderConnection.Failure) -> ReaderConnection {
        guard let connection else { throw .lost }
        return connection
    }

    /// Continues with another process. A stream without an end continues with what comes now.
    private func recover(from failure: ReaderConnection.Failure) throws(DecodingError) {
        if case .decoding(let error) = failure { throw stop.isStopped ? .cancelled : error }
        connection = nil
        guard position == 0 || facts.isReadOnce != true else {
            let reason = "the program that decodes it failed, and a stream can't be read again"
            throw stop.isStopped ? .cancelled : .unreadable(reason)
        }
        let next = try Self.connect(source, rate, stop, &debt)
        connection = next
        repeated = facts.isSeekable || facts.duration == nil ? 0 : Int(position)
        // If this one is lost as well, the next read notices.
        if facts.isSeekable, position > 0 { try? next.seek(toFrame: position) }
    }

    private static func connect(
        _ source: MediaReaderSource, _ rate: Int, _ stop: ReadingStop, _ debt: inout Int
    ) throws(DecodingError) -> ReaderConnection {
        guard let wanted = UInt32(exactly: rate), ReaderOrder.rates.contains(wanted) else {
            throw .unsupported("\(rate) samples a second can't be made")
        }
        while true {
            guard !stop.isStopped else { throw .cancelled }
            guard debt <= (mostProcesses - 1) * rate else { throw .unreadable("the program that decodes it failed") }
            debt += rate
            do throws(ReaderConnection.Failure) {
                return try ReaderConnection(try opened(source), rate: wanted, stop: stop)
            } catch {
                if case .decoding(let error) = error { throw stop.isStopped ? .cancelled : error }
            }
        }
    }

    private static func opened(_ source: MediaReaderSource) throws(ReaderConnection.Failure) -> Int32 {
        do throws(DecodingError) { return try source.open() } catch { throw .decoding(error) }
    }
}

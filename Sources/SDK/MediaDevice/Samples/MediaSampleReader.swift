import CoreMedia
import Foundation
import HostInterface
import Synchronization

/// The live samples of a session, as a sequence of blocks. Available on Linux only.
///
/// Create it in ``RealtimeSampleHandling/startRealtimeSampleDelivery(session:)``, and iterate once:
///
/// ```swift
/// func startRealtimeSampleDelivery(session: MediaOutputSession) {
///     guard let reader = try? MediaSampleReader(session: session, encoding: .signed16) else { return }
///     delivery = Task { for await block in reader { await speaker.send(block.samples) } }
/// }
/// ```
///
/// The sequence ends after the last sample, when the host stops the delivery, and when the task is cancelled. It delivers at
/// most half a second more than was played by the clock. If blocks aren't taken in time, the source waits: the program
/// that plays to the sink, for example. If none is taken for 15 seconds, the host ends the session. While playback is paused,
/// there are no blocks: ``MediaSampleBlock/hostTime`` of the next one shows for how long.
public final class MediaSampleReader: AsyncSequence, Sendable {
    /// The format of the blocks.
    public let format: MediaSampleFormat
    /// The time from the source to the listener that a person asked for, in seconds; `nil` for the usual one.
    ///
    /// An extension that can't be that fast is as fast as it can be. ``RealtimeQuality/latency`` and the positions that it
    /// reports show the result.
    public var requestedLatency: Double? { socket.latency }
    private let socket: SampleSocket
    private let conversion: Mutex<BlockConversion>

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - session: A session in which samples are delivered.
    ///   - encoding: The encoding of the samples; `nil` for the source's.
    ///   - sampleRate: The frames per second, `1000...768_000`; `nil` for the source's.
    ///   - channelCount: The channels, 1 or 2; `nil` for the source's, which has up to 8. Low frequencies of surround sound
    ///     are left out.
    /// - Throws: ``MediaDeviceError`` `sessionFailed` if no samples are delivered in the session, or it has another reader;
    ///   with the detail `unsupported-format` if the source's can't be converted to this rate or these channels.
    @MainActor
    public init(
        session: MediaOutputSession, encoding: MediaSampleFormat.Encoding? = nil, sampleRate: Int? = nil,
        channelCount: Int? = nil
    ) throws(MediaDeviceError) {
        guard let socket = session.samples, !session.isStopped else {
            throw MediaDeviceError(.sessionFailed, reason: "No samples are delivered in this session.")
        }
        let source = MediaSampleFormat(socket.format)
        let format = MediaSampleFormat(
            encoding: encoding ?? source.encoding, sampleRate: sampleRate ?? source.sampleRate,
            channelCount: channelCount ?? source.channelCount)
        guard (1000...768_000).contains(format.sampleRate), let conversion = SampleConversion(from: source, to: format)
        else {
            throw MediaDeviceError(
                .sessionFailed, detail: .unsupportedFormat,
                reason: "Sound with \(source.summary) can't be converted to \(format.summary).")
        }
        guard socket.take() else {
            throw MediaDeviceError(.sessionFailed, reason: "The session has a reader already.")
        }
        self.format = format
        self.socket = socket
        self.conversion = Mutex(BlockConversion(conversion))
    }

    /// The position in a reader's blocks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: MediaSampleReader

        /// Waits for the next block; `nil` after the last.
        public mutating func next() async -> MediaSampleBlock? {
            while let (header, frames) = await reader.socket.next() {
                if let block = reader.conversion.withLock({ $0.block(header, frames) }) { return block }
            }
            return Task.isCancelled ? nil : reader.conversion.withLock { $0.last() }
        }
    }

    /// Creates the iterator. There is one set of blocks: a second iterator gets those that the first doesn't.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: self) }
}

extension MediaSampleFormat {
    fileprivate var summary: String {
        "\(sampleRate) frames a second and \(channelCount) channel\(channelCount == 1 ? "" : "s")"
    }
}

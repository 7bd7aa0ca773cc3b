package import HostInterface
package import MediaReading

/// The delivery of live samples to extensions.
package protocol SampleDeliveries: Sendable {
    /// Begins a delivery. Nothing is read before the first ``SampleDelivery/connect()``.
    ///
    /// - Parameters:
    ///   - stream: The samples.
    ///   - format: Their format.
    ///   - whenOver: A closure that receives the end, once, unless ``SampleDelivery/end()`` was called before. Success means
    ///     that the samples have ended, and the extension took the last ones.
    /// - Throws: ``HostError`` `internal-failure` if the system has no descriptors or threads left.
    func begin(
        _ stream: OpenStream, format: SampleFormat, whenOver: @escaping @Sendable (Result<Void, HostError>) -> Void
    ) throws(HostError) -> any SampleDelivery

    /// Begins a delivery of a screen.
    ///
    /// - Parameter whenOver: A closure that is called when the video has ended, once, unless ``SampleDelivery/end()`` was
    ///   called before.
    /// - Throws: ``HostError`` `internal-failure` if the system has no descriptors or threads left.
    func begin(_ screen: OpenScreen, whenOver: @escaping @Sendable () -> Void) throws(HostError) -> any SampleDelivery

    /// Begins a delivery of a medium, which is opened at once. Nothing is sent before the first
    /// ``SampleDelivery/connect()``.
    ///
    /// - Throws: ``HostError`` `internal-failure` if the system has no descriptors or threads left.
    func begin(_ media: DeliveredMedia) throws(HostError) -> any MediaDelivery
}

/// A medium that is read and decoded to be delivered as samples.
package struct DeliveredMedia: Sendable {
    /// The format: 16 bits, two channels.
    package let format: SampleFormat
    package let source: MediaReaderSource
    /// The position at which to start, in seconds; `nil` for the beginning.
    package let startPosition: Double?
    /// The latency to ask the extension for, in seconds; `nil` for its choice.
    package let latency: Double?

    package init(
        _ source: MediaReaderSource, rate: Int = 44_100, startPosition: Double? = nil, latency: Double? = nil
    ) throws(HostError) {
        format = try SampleFormat(encoding: SampleFormat.Encoding.signed16.rawValue, rate: rate, channels: 2)
        self.source = source
        self.startPosition = startPosition
        self.latency = latency
    }
}

/// A position in a medium that is delivered, and whether it moves.
package struct MediaPosition: Sendable, Hashable {
    /// The position in seconds.
    package var seconds: Double
    /// The time at which it is there, in nanoseconds of `CLOCK_MONOTONIC`.
    package var time: UInt64
    package var isPlaying: Bool
    /// A Boolean value that indicates whether playback waits for data.
    package var isWaiting: Bool

    package init(seconds: Double, time: UInt64, isPlaying: Bool, isWaiting: Bool) {
        self.seconds = seconds
        self.time = time
        self.isPlaying = isPlaying
        self.isWaiting = isWaiting
    }
}

/// A report of a running delivery of a medium.
package enum MediaDeliveryEvent: Sendable {
    /// The medium is open.
    case opened(MediaFacts, MediaPosition)
    case position(MediaPosition)
    /// The last report, unless ``SampleDelivery/end()`` was called before. Success means that the medium has ended, and the
    /// extension took the last samples.
    case over(Result<Void, HostError>)
}

/// A running delivery of one stream to one extension.
package protocol SampleDelivery: Sendable {
    /// Opens a socket for the extension's process, in place of an earlier one. Samples that the earlier process didn't take
    /// are lost.
    ///
    /// - Throws: ``HostError`` `internal-failure` if the system has no descriptors left.
    func connect() throws(HostError) -> DeliveredSamples
    /// While held, the extension may take no samples for any time, because playback is paused.
    func hold(_ isHeld: Bool)
    /// Ends the delivery: the extension reads no more samples, and the writer learns of it.
    func end()
}

/// A running delivery of a medium to one extension.
package protocol MediaDelivery: SampleDelivery {
    /// The reports, for one reader.
    var events: AsyncStream<MediaDeliveryEvent> { get }
    /// Pauses or resumes. A pause delivers nothing; what was delivered is heard.
    func setPlaying(_ isPlaying: Bool)
    /// Continues at a position of a seekable medium, in seconds, after what was delivered.
    func seek(toSeconds seconds: Double)
}

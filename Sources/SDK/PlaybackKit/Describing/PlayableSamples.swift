public import MediaDevice

/// Samples for a device to play as they come: the sound of this computer, of an app, or of a stream.
///
/// ```swift
/// func play(_ samples: PlayableSamples, as run: PlaybackRun) async throws(MediaDeviceError) {
///     for await block in samples { try await connection.send(block.samples) }
/// }
/// ```
///
/// The sequence ends after the last sample, when playback stops, and with the player's connection. A block counts as
/// played when the next one is requested: after a loss of the connection, the samples for the next player begin with the
/// block that the last one had. The times of the blocks are those of `MediaSampleReader`.
public struct PlayableSamples: AsyncSequence, Sendable {
    /// The format of the blocks.
    public let format: MediaSampleFormat
    /// The time from the source to the listener that a person asked for, in seconds; `nil` for the usual one.
    public let requestedLatency: Double?
    /// The session. Its `mediaInformation` changes with the sound, and can be observed.
    public let session: MediaOutputSession
    /// The number of the player that gets the samples.
    let taker: Int
    private let relay: SampleRelay

    init(_ relay: SampleRelay, taker: Int, _ reader: MediaSampleReader, _ session: MediaOutputSession) {
        self.relay = relay
        self.taker = taker
        self.session = session
        format = reader.format
        requestedLatency = reader.requestedLatency
    }

    /// The position in a player's blocks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let samples: PlayableSamples

        /// Waits for the next block; `nil` after the last.
        public mutating func next() async -> MediaSampleBlock? {
            await withTaskCancellationHandler {
                await samples.relay.next(for: samples.taker)
            } onCancel: { [samples] in
                Task { await samples.relay.cancel(samples.taker) }
            }
        }
    }

    /// Creates the iterator. There is one set of blocks, for one consumer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(samples: self) }
}

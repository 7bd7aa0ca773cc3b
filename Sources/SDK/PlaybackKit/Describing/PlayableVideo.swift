public import MediaDevice

/// Live video for a device to show as it comes.
///
/// ```swift
/// func play(
///     _ video: PlayableVideo, with samples: PlayableSamples?, as run: PlaybackRun
/// ) async throws(MediaDeviceError) {
///     for await frame in video { try await connection.send(frame.accessUnit) }
/// }
/// ```
///
/// The sequence ends after the last frame, when playback stops, and with the player's connection. The frames are those of
/// `MediaVideoReader`; the first one for each player is a key frame.
public struct PlayableVideo: AsyncSequence, Sendable {
    /// The width of the picture in pixels, `16...7680`. It doesn't change.
    public var width: Int { relay.reader.width }
    /// The height of the picture in pixels, `16...4320`. It doesn't change.
    public var height: Int { relay.reader.height }
    /// Frames a second at most, `1...240`.
    public var frameRate: Int { relay.reader.frameRate }
    /// The time from the capture to the viewer that a person asked for, in seconds; `nil` for the usual one.
    public var requestedLatency: Double? { relay.reader.requestedLatency }
    /// The session.
    public let session: MediaOutputSession
    /// The number of the player that gets the frames.
    let taker: Int
    private let relay: VideoRelay

    init(_ relay: VideoRelay, taker: Int, _ session: MediaOutputSession) {
        self.relay = relay
        self.taker = taker
        self.session = session
    }

    /// Asks for a key frame, for example when the device says that it can't decode the picture. The source makes four a
    /// second at most, however often it is asked, and one each second without being asked.
    public func requestKeyFrame() { relay.reader.requestKeyFrame() }

    /// The position in a player's frames.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let video: PlayableVideo

        /// Waits for the next frame; `nil` after the last.
        public mutating func next() async -> MediaVideoFrame? { await video.relay.next(for: video.taker) }
    }

    /// Creates the iterator. There is one set of frames, for one consumer.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(video: self) }
}

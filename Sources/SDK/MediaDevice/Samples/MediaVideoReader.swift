import CoreMedia
import Foundation
import HostInterface

/// The live video of a session, as a sequence of encoded frames. Available on Linux only.
///
/// Create it in ``RealtimeSampleHandling/startRealtimeSampleDelivery(session:)`` for a session whose
/// ``MediaOutputSession/hasRealtimeVideo`` is `true`, and iterate once:
///
/// ```swift
/// func startRealtimeSampleDelivery(session: MediaOutputSession) {
///     guard session.hasRealtimeVideo, let video = try? MediaVideoReader(session: session) else { return }
///     delivery = Task { for await frame in video { await display.send(frame.accessUnit) } }
/// }
/// ```
///
/// The sound is read by a ``MediaSampleReader`` at the same time.
///
/// The first frame is a key frame. Take a frame only when the device has taken the one before: pictures that nobody takes
/// in time are left out before they are encoded, and the bit rate falls, so that the delay doesn't grow. After a loss in
/// between, the sequence goes on with the next key frame, for which it asks itself. It ends when the screen isn't shared
/// any more, when the host stops the delivery, and when the task is cancelled.
public final class MediaVideoReader: AsyncSequence, Sendable {
    /// The width of the picture in pixels, `16...7680`. It doesn't change.
    public var width: Int { socket.video.width }
    /// The height of the picture in pixels, `16...4320`. It doesn't change.
    public var height: Int { socket.video.height }
    /// Frames a second at most, `1...240`. A screen on which nothing moves gives as many.
    public var frameRate: Int { socket.video.rate }
    /// A Boolean value that indicates whether sound was delivered with the video when the reader was created. A screen
    /// that is shared without sound has none.
    public let hasSound: Bool
    /// The time from the capture to the viewer that a person asked for, in seconds; `nil` for the usual one. A device that
    /// can't be that fast is as fast as it can be.
    public let requestedLatency: Double?
    private let socket: VideoSocket

    /// Creates a reader.
    ///
    /// - Parameter session: A session in which video is delivered.
    /// - Throws: ``MediaDeviceError`` `sessionFailed` if no video is delivered in the session, or it has another reader.
    @MainActor
    public init(session: MediaOutputSession) throws(MediaDeviceError) {
        guard let socket = session.video, !session.isStopped else {
            throw MediaDeviceError(.sessionFailed, reason: "No video is delivered in this session.")
        }
        guard socket.take() else {
            throw MediaDeviceError(.sessionFailed, reason: "The session has a reader of its video already.")
        }
        self.socket = socket
        requestedLatency = session.samples?.latency
        hasSound = session.samples.map { !$0.isAtEnd } ?? false
    }

    /// Asks for a key frame, for example when the device says that it can't decode the picture.
    ///
    /// The source makes four a second at most, however often it is asked, and one each second without being asked.
    public func requestKeyFrame() { socket.requestKeyFrame() }

    /// The position in a reader's frames.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let reader: MediaVideoReader
        private var assembly = VideoAssembly()

        fileprivate init(_ reader: MediaVideoReader) { self.reader = reader }

        /// Waits for the next frame; `nil` after the last.
        public mutating func next() async -> MediaVideoFrame? {
            while let (header, part) = await reader.socket.next() {
                switch assembly.take(header, part) {
                case .frame(let unit, let header):
                    return MediaVideoFrame(
                        accessUnit: unit, isKeyFrame: header.isKey,
                        hostTime: CMTime(value: CMTimeValue(clamping: header.time), timescale: 1_000_000_000))
                case .incomplete: continue
                case .keyFrameNeeded: reader.requestKeyFrame()
                }
            }
            return nil
        }
    }

    /// Creates the iterator. There is one set of frames: a second iterator gets those that the first doesn't.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

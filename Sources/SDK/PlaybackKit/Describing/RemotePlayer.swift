import Foundation
import MediaDevice

/// A connected device. Usually an actor around one connection.
///
/// The kit calls it in order: one ``load(_:as:)`` and one ``perform(_:)`` at a time, and nothing after ``close()``.
public protocol RemotePlayer: AnyObject, Sendable {
    /// What the device says. The stream ends when the connection is lost or closed; one consumer.
    ///
    /// Make it with ``PlayerEvent/makeStream()``. Send the level first, so that it is known before anybody changes it.
    nonisolated var events: AsyncStream<PlayerEvent> { get }

    /// The bytes to store for the next activation, such as a key that pairing agreed on; `nil` to store the text that the
    /// person entered.
    nonisolated var secretToStore: Data? { get }

    /// Starts media from its beginning or its start position, in place of whatever plays. An earlier run is over then.
    ///
    /// Returns as soon as the device has accepted it. Events of the new run say how it goes on.
    ///
    /// - Parameter run: The number that events about this playback carry.
    /// - Returns: What ``adopt(_:token:as:)`` needs to recognise this playback, at most 4096 bytes and no secret; `nil` if
    ///   the media's address is enough.
    /// - Throws: The device's refusal. `connectionFailed` means that the connection is gone.
    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data?

    /// Looks whether the device still plays, or has paused, what was loaded over an earlier connection. What plays stays as it
    /// is; what is left of a run that is over may be removed.
    ///
    /// - Returns: `false` if it is over or something else plays. With `true`, a snapshot of the run follows.
    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool

    /// Carries out a wish, and reports the state that follows. It may be repeated after a reconnection, so that it has to mean the same twice.
    ///
    /// - Throws: The device's refusal. `connectionFailed` keeps the wish for the next connection.
    func perform(_ wish: PlayerWish) async throws(MediaDeviceError)

    /// Stops a run if it is the one that plays. Nothing is reported about it afterwards.
    func stop(_ run: PlaybackRun) async

    /// Ends the connection and ``events``; the device plays on.
    func close() async
}

extension RemotePlayer {
    public nonisolated var secretToStore: Data? { nil }
}

/// One playback from `load` or `adopt` to its end. The kit hands out a new number each time.
public struct PlaybackRun: Sendable, Hashable {
    public let number: Int

    public init(_ number: Int) { self.number = number }
}

/// What a device says.
public enum PlayerEvent: Sendable, Equatable {
    /// The state of a run. Those of an earlier run are ignored.
    case playback(PlaybackSnapshot, of: PlaybackRun)
    /// The device's level, whoever changed it.
    case level(PlayerLevel)
    /// A run is over. The first ending counts.
    case ended(PlaybackEnding, of: PlaybackRun)

    /// A stream that holds at most 256 events and drops the oldest, which newer ones supersede.
    public static func makeStream() -> (
        stream: AsyncStream<PlayerEvent>, continuation: AsyncStream<PlayerEvent>.Continuation
    ) {
        AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }
}

/// How a run ended.
public enum PlaybackEnding: Sendable, Equatable {
    /// It played to its end.
    case finished
    /// Somebody stopped it on the device, or chose something else there.
    case stopped
    /// The device could not play it, or not any further.
    case failed(MediaDeviceError)

    public static func == (left: PlaybackEnding, right: PlaybackEnding) -> Bool {
        switch (left, right) {
        case (.finished, .finished), (.stopped, .stopped): true
        case (.failed(let left), .failed(let right)):
            left.code == right.code && left.detail == right.detail && left.reason == right.reason
        default: false
        }
    }
}

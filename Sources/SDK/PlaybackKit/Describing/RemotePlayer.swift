public import Foundation
public import MediaDevice

/// A connected device, usually an actor around one connection.
///
/// The kit calls it in order: one ``load(_:as:)`` and one ``perform(_:)`` at a time, and nothing after ``close()``.
public protocol RemotePlayer: AnyObject, Sendable {
    /// The device's reports, for one consumer. The stream finishes when the connection is lost or closed.
    ///
    /// Create it with ``PlayerEvent/makeStream()``. Send the level first, so that it is known before anyone changes it.
    nonisolated var events: AsyncStream<PlayerEvent> { get }

    /// The bytes to store for the next activation, such as a key from pairing; `nil` to store the text that the person
    /// entered.
    nonisolated var secretToStore: Data? { get }

    /// Loads media and plays it from its beginning or its start position, in place of the current media. An earlier run
    /// ends.
    ///
    /// Return as soon as the device has accepted it. Events of the new run report the progress. The task is cancelled
    /// when the result isn't needed any longer.
    ///
    /// - Parameters:
    ///   - media: The media to play.
    ///   - run: The number of this playback, for its events.
    /// - Returns: The token with which ``adopt(_:token:as:)`` recognizes this playback, at most 4096 bytes and not
    ///   secret; `nil` if the URL of the media is enough.
    /// - Throws: The device's refusal. `connectionFailed` means that the connection is lost.
    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data?

    /// Checks whether the device still plays media that was loaded over an earlier connection, or has it paused. It
    /// doesn't change the playback, but may remove remains of an ended run.
    ///
    /// - Returns: `false` if playback has ended or the device plays other media. After `true`, send a snapshot of the
    ///   run.
    /// - Throws: The device's refusal. `connectionFailed` means that the connection is lost.
    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool

    /// Takes control of the playback that another sender started. It doesn't change the playback.
    ///
    /// - Returns: `false` if nothing plays. After `true`, send a snapshot of the run.
    /// - Throws: The device's refusal. `connectionFailed` means that the connection is lost.
    func takeControl(as run: PlaybackRun) async throws(MediaDeviceError) -> Bool

    /// Starts an application, in place of the current playback, and stays connected with it.
    ///
    /// Send a snapshot of the run when it has started, and its messages as ``PlayerEvent/data(_:of:)``.
    ///
    /// - Parameters:
    ///   - application: The device's identifier of the application.
    ///   - media: The URL that the app passes to the application.
    ///   - run: The number of this playback, for its events.
    /// - Returns: The token; see ``load(_:as:)``.
    /// - Throws: The device's refusal. `connectionFailed` means that the connection is lost.
    func launch(
        _ application: String, with media: PlayableMedia, as run: PlaybackRun
    ) async throws(MediaDeviceError) -> Data?

    /// Sends a message of the app to the application of a run.
    func send(_ data: Data, to run: PlaybackRun) async throws(MediaDeviceError)

    /// Performs a request and reports the resulting state. The kit can repeat a request after a reconnection, so a
    /// repetition must have the same effect.
    ///
    /// - Throws: The device's refusal. After `connectionFailed` the kit keeps the request for the next connection.
    func perform(_ wish: PlayerWish) async throws(MediaDeviceError)

    /// Tells the device what a run plays now, as far as it can be told.
    ///
    /// The kit calls it for live sound whose title, artist or artwork changes, such as that of this computer. People see
    /// the new description in the app and on this computer in any case.
    ///
    /// - Parameters:
    ///   - media: The media that was loaded, or samples, with the new information.
    ///   - run: The number of the playback.
    func describe(_ media: PlayableMedia, of run: PlaybackRun) async

    /// Stops a run if it is the current one. Report nothing about it afterwards.
    func stop(_ run: PlaybackRun) async

    /// Closes the connection and finishes ``events``. The device continues to play.
    func close() async
}

extension RemotePlayer {
    /// The default: `nil`, which stores the text that the person entered.
    public nonisolated var secretToStore: Data? { nil }

    /// The default for devices that can't be told: nothing.
    public func describe(_ media: PlayableMedia, of run: PlaybackRun) async {}

    /// The default for devices that don't tell: nothing plays.
    public func takeControl(as run: PlaybackRun) async throws(MediaDeviceError) -> Bool { false }

    /// The default for devices without applications: a refusal.
    public func launch(
        _ application: String, with media: PlayableMedia, as run: PlaybackRun
    ) async throws(MediaDeviceError) -> Data? {
        throw MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "The device doesn't run applications.")
    }

    /// The default for devices without applications: a refusal.
    public func send(_ data: Data, to run: PlaybackRun) async throws(MediaDeviceError) {
        throw MediaDeviceError(.sessionFailed, detail: .notSupported, reason: "The device doesn't run applications.")
    }
}

/// One playback, from `load`, `adopt` or the first samples to its end. The kit assigns a new number each time.
public struct PlaybackRun: Sendable, Hashable {
    /// The number, unique for the device while the extension uses it.
    public let number: Int

    /// Creates a run with a number. Only tests need it.
    public init(_ number: Int) { self.number = number }
}

/// A report of a device.
public enum PlayerEvent: Sendable, Equatable {
    /// The state of a run. The kit ignores events of earlier runs.
    case playback(PlaybackSnapshot, of: PlaybackRun)
    /// The device's volume and mute state, regardless of what changed it.
    case level(PlayerLevel)
    /// Further properties of the device in the form of its TXT record, in place of those sent before: `playing`, the
    /// name of the media that the device plays for another sender, and `member ID` with the volume and name of a device
    /// of its group.
    case properties([String: String])
    /// A message of the application of a run.
    case data(Data, of: PlaybackRun)
    /// The quality of a run that plays samples. Send it a few times a minute, and when a problem occurs.
    case quality(RealtimeQuality, of: PlaybackRun)
    /// The end of a run. Only the first one counts.
    case ended(PlaybackEnding, of: PlaybackRun)

    /// Creates a stream that holds at most 256 events. When full, it drops the oldest, which newer ones supersede.
    public static func makeStream() -> (
        stream: AsyncStream<PlayerEvent>, continuation: AsyncStream<PlayerEvent>.Continuation
    ) {
        AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }
}

/// The way in which a run ended.
public enum PlaybackEnding: Sendable, Equatable {
    /// The media played to its end.
    case finished
    /// A person stopped playback on the device, or chose other media there.
    case stopped
    /// An app or other media took its place on the device; the name is for people.
    case takenOver(by: String)
    /// It ended, and the device doesn't tell whether it reached its end. The host compares the last position with the
    /// duration.
    case unexplained
    /// The device couldn't play the media, or not to its end.
    case failed(MediaDeviceError)

    /// Returns a Boolean value that indicates whether two endings are equal; errors are compared by code, detail and reason.
    public static func == (left: PlaybackEnding, right: PlaybackEnding) -> Bool {
        switch (left, right) {
        case (.takenOver(let left), .takenOver(let right)): left == right
        case (.finished, .finished), (.stopped, .stopped), (.unexplained, .unexplained): true
        case (.failed(let left), .failed(let right)):
            left.code == right.code && left.detail == right.detail && left.reason == right.reason
        default: false
        }
    }
}

public import Foundation
public import MediaDevice

/// A device that plays sound and shows pictures as they come, each at a given time of its clock, in a ``LiveDelivery``.
@MainActor
public protocol LiveReceiver: ClockedDevice {
    /// Prepares the device for a delivery, in place of what it plays.
    ///
    /// - Throws: The device's refusal. `connectionFailed` means that the connection is lost.
    func open(_ delivery: LiveDelivery<Self>) async throws(MediaDeviceError)

    /// Sends samples in the format of the delivery.
    ///
    /// - Parameters:
    ///   - samples: Whole frames that follow each other, at most ``LiveSettings/largestBlock`` bytes.
    ///   - time: The time at which the first frame is heard, in seconds of the device's clock.
    /// - Returns: `false` if they came too late to be played.
    /// - Throws: The reason why the device doesn't play them. The delivery continues.
    func send(_ samples: Data, at time: Double) async throws(MediaDeviceError) -> Bool

    /// Sends a picture, and returns when the device has it. Meanwhile, newer pictures are left out by the source.
    ///
    /// - Parameters:
    ///   - frame: The picture, at most ``LiveSettings/largestFrame`` bytes.
    ///   - time: The time at which it is seen, in seconds of the device's clock.
    /// - Returns: `false` if it came too late to be shown.
    /// - Throws: The reason why the device doesn't show it. The delivery continues.
    func send(_ frame: MediaVideoFrame, at time: Double) async throws(MediaDeviceError) -> Bool

    /// Tells the device the app's new description of what it plays.
    func describe(_ information: MediaOutputSession.MediaInformation?)

    /// Stops the playback of the delivery, whose ``left(_:_:)`` follows.
    func stop()

    /// Processes the end of the device's part in a delivery.
    ///
    /// - Parameters:
    ///   - delivery: The delivery.
    ///   - error: The reason why the session can't use the device any longer; `nil` if there is none, or if it was reported
    ///     for the whole session.
    func left(_ delivery: LiveDelivery<Self>, _ error: MediaDeviceError?)
}

/// The format and the bounds of a ``LiveDelivery``.
public struct LiveSettings: Sendable, Hashable {
    /// The encoding of the samples; `nil` for that of the source.
    public var encoding: MediaSampleFormat.Encoding? = .signed16
    /// The frames per second; `nil` for those of the source.
    public var sampleRate: Int?
    /// The number of channels, 1 or 2; `nil` for that of the source.
    public var channelCount: Int? = 2
    /// The time from the source to the listener in seconds, unless a person asks for another one.
    public var usualLatency = 0.3
    /// The least latency in seconds that a person can ask for.
    public var leastLatency = 0.1
    /// The highest number of bytes of sound that are sent at once.
    public var largestBlock = 64_000
    /// The highest number of bytes of sound that wait for a device; more are dropped. The default is about two seconds.
    public var longestQueue = 400_000
    /// The highest number of bytes of a picture. A larger one is left out, and a key frame is requested.
    public var largestFrame = 1_000_000

    /// Creates the default settings.
    public init() {}
}

/// The format of the pictures of a ``LiveDelivery``, which are H.264 (`MediaVideoFrame`).
public struct LiveVideoFormat: Sendable, Hashable {
    /// The width in pixels, `16...7680`.
    public let width: Int
    /// The height in pixels, `16...4320`.
    public let height: Int
    /// Pictures a second at most, `1...240`.
    public let frameRate: Int
}

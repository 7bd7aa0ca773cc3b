import CastStreaming
import GoogleCastProtocol
import Opus
import PlaybackKit

/// Live sound, or the screen, on its way to a device.
protocol CastLiveStream: Actor {
    nonisolated var events: AsyncStream<CastLiveEvent> { get }
    func begin()
    /// - Throws: ``MediaDeviceError`` `notSupported` if it can't be paused.
    func setPlaying(_ isPlaying: Bool) throws(MediaDeviceError)
    func close() async
}

enum CastLiveEvent: Sendable {
    /// - Parameters:
    ///   - position: The seconds before the sample or picture that is played at `time`.
    ///   - time: Of the host clock.
    case playing(position: Double, time: Double)
    case paused(position: Double)
    case quality(RealtimeQuality)
    /// The source has ended, and its end was played.
    case finished
    case failed(MediaDeviceError)

    /// The device is silent for too long.
    static let abandoned = failed(MediaDeviceError(.timedOut, "The device doesn't answer the stream any more."))
}

extension OpusEncoder {
    /// - Throws: ``MediaDeviceError`` `notSupported` if the library is missing.
    static func forStream() throws(MediaDeviceError) -> sending OpusEncoder {
        do throws(OpusError) { return try OpusEncoder(bitrate: AudioFormat.bitrate) } catch {
            throw MediaDeviceError(
                .notSupported, "Live sound needs libopus, which can't be used: \(error.message). Install libopus0.")
        }
    }
}

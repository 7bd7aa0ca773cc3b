public import MediaDevice

/// A connected device that shows live video, besides the sound that it plays: the screen of this computer.
///
/// Give the devices `realtimeVideoStreaming`, besides `realtimeAudioStreaming`, and name the type in a
/// ``SamplePlayerExtension``. `mdhost screen` then delivers H.264 to it.
public protocol LiveVideoPlayer: SamplePlayer {
    /// Shows video until it ends, in place of the current media. An earlier run ends.
    ///
    /// Take a frame when the device has taken the ones before. The source leaves out, before it encodes, what isn't taken in
    /// time, and lowers the bit rate: nothing queues up. If no frame is taken for 30 seconds, the screen isn't shown any
    /// longer. After a loss of the connection, the kit calls the method of the next player with the same run.
    ///
    /// Nothing else needs to be reported: people can then stop the video, and change the volume. A player that sends
    /// snapshots of the run also reports the end (``PlayerEvent/ended(_:of:)``) after the last frame.
    ///
    /// - Parameters:
    ///   - video: The frames. Iterate here, or in another task. The first one is a key frame.
    ///   - samples: The sound, to iterate at the same time. Sound and pictures with the same `hostTime` belong together.
    ///     `nil` if the screen is shown without sound.
    ///   - run: The number of this playback, for its events.
    /// - Throws: The device's refusal. `connectionFailed` means that the connection is lost: finish
    ///   ``RemotePlayer/events``, too.
    func play(
        _ video: PlayableVideo, with samples: PlayableSamples?, as run: PlaybackRun
    ) async throws(MediaDeviceError)
}

public import MediaDevice

/// A connected device that plays samples as they come, besides media that it loads.
///
/// The host delivers samples of what has no URL: the sound of this computer, of an app, or of a stream. Name the type in a
/// ``SamplePlayerExtension``, and give the devices `realtimeAudioStreaming`. Devices without `urlPlayback` get files and URLs
/// as samples, too: the host pauses and seeks in them.
public protocol SamplePlayer: RemotePlayer {
    /// The encoding that the device plays; `nil` for that of the source. The default is `signed16`.
    nonisolated var sampleEncoding: MediaSampleFormat.Encoding? { get }

    /// The frames per second that the device plays; `nil` for those of the source. The default is `nil`.
    nonisolated var sampleRate: Int? { get }

    /// The number of channels that the device plays, 1 or 2; `nil` for that of the source. The default is 2.
    nonisolated var sampleChannelCount: Int? { get }

    /// Plays samples until they end, in place of the current media. An earlier run ends.
    ///
    /// The samples come at the speed at which they are heard, and wait until they are taken. If none is taken for
    /// 15 seconds, the host ends the session. After a loss of the connection, the kit calls the method of the next player
    /// with the same run.
    ///
    /// Nothing else needs to be reported: people can then stop the sound, and change the volume. A player that sends
    /// snapshots of the run can be paused, too. It also reports the end (``PlayerEvent/ended(_:of:)``) when the last
    /// sample was heard.
    ///
    /// - Parameters:
    ///   - samples: The samples. Iterate here, or in another task.
    ///   - run: The number of this playback, for its events.
    /// - Throws: The device's refusal. `connectionFailed` means that the
    ///   connection is lost: finish ``RemotePlayer/events``, too.
    func play(_ samples: PlayableSamples, as run: PlaybackRun) async throws(MediaDeviceError)
}

extension SamplePlayer {
    public nonisolated var sampleEncoding: MediaSampleFormat.Encoding? { .signed16 }

    public nonisolated var sampleRate: Int? { nil }

    public nonisolated var sampleChannelCount: Int? { 2 }
}

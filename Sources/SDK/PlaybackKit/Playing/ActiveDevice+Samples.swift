import MediaDevice

extension ActiveDevice where Described.Player: SamplePlayer {
    func startSamples(in session: MediaOutputSession) {
        do throws(MediaDeviceError) {
            guard let player else { throw .notConnected }
            let reader = try MediaSampleReader(
                session: session, encoding: player.sampleEncoding, sampleRate: player.sampleRate,
                channelCount: player.sampleChannelCount)
            var video: VideoRelay?
            if session.hasRealtimeVideo {
                guard player is any LiveVideoPlayer else {
                    throw MediaDeviceError(
                        .sessionFailed, detail: .notSupported, reason: "The device doesn't show live video.")
                }
                video = VideoRelay(try MediaVideoReader(session: session))
            }
            start(SamplePlayback(reader, video), in: session)
        } catch {
            host.sessionFailed(session, error: error)
        }
    }

    /// - Returns: A Boolean value that indicates whether all samples of a session went to the device; `nil` if none were
    ///   delivered in it.
    func isComplete(_ session: MediaOutputSession) -> Bool? {
        guard let playback, playback.session.id == session.id else { return nil }
        return playback.samples?.isComplete
    }
}

extension ActiveDevice {
    private func start(_ samples: SamplePlayback, in session: MediaOutputSession) {
        let playback = begin(
            PlayableMedia(url: Self.unknown, information: session.mediaInformation, session: session), in: session)
        playback.samples = samples
        adopt(playback)
    }

    /// Passes the samples to a player, the first one or the next after a loss.
    func play(_ samples: SamplePlayback, of playback: PlaybackInSession, on player: Described.Player) {
        guard let player = player as? any SamplePlayer else { return }
        playback.isLoaded = true
        playback.control.connectionReturned()
        let passed = samples.relay.samples(in: playback.session)
        let video = samples.video?.video(in: playback.session)
        samples.playing = Task { [run = playback.run] in
            do throws(MediaDeviceError) {
                if let video, let player = player as? any LiveVideoPlayer {
                    try await player.play(video, with: samples.hasSound ? passed : nil, as: run)
                } else {
                    try await player.play(passed, as: run)
                }
            } catch {
                // The next connection continues.
                guard error.code != .connectionFailed, samples.relay.isPassing(passed) else {
                    return samples.interrupted()
                }
                end(playback, .failed(error))
            }
        }
    }
}

/// The samples of one playback, its video if there is one, and the task that passes them on.
@MainActor
final class SamplePlayback {
    let relay: SampleRelay
    let video: VideoRelay?
    var playing: Task<Void, Never>? { didSet { oldValue?.cancel() } }
    private var wasInterrupted = false

    init(_ reader: MediaSampleReader, _ video: VideoRelay?) {
        relay = SampleRelay(reader)
        self.video = video
    }

    /// A Boolean value that indicates whether there is sound, or was in the beginning.
    var hasSound: Bool { video?.reader.hasSound ?? true }

    /// A Boolean value that indicates whether every frame came and no connection was lost.
    var isComplete: Bool { relay.isComplete && !wasInterrupted }

    func interrupted() { wasInterrupted = true }

    func connectionLost() {
        interrupted()
        relay.interrupt()
        video?.interrupt()
    }

    func close() {
        relay.close()
        video?.close()
        playing = nil
    }
}

package import PlaybackKit

/// The playback on one device of the sound server, with the parts of a `RemotePlayer` that every such device shares.
@MainActor
package final class SoundServerPlayer {
    /// The access to the device's output.
    package struct Output {
        let open:
            @MainActor (
                BluetoothAudioMedia, Bool, _ latency: Double?
            ) async throws(BluetoothAudioError) -> BluetoothAudioOutput
        let convert: @MainActor (BluetoothAudioError) -> MediaDeviceError
        let interrupted: @MainActor (SoundServerPlayback) -> Void

        /// - Parameters:
        ///   - open: Opens the output, for media, paused or not, with the wanted latency in seconds; `nil` for the usual one.
        ///   - convert: Returns the error to throw for one of `open`.
        ///   - interrupted: Receives the playback that the loss of the device interrupted, for the next connection.
        package init(
            open:
                @escaping @MainActor (
                    BluetoothAudioMedia, Bool, _ latency: Double?
                ) async throws(BluetoothAudioError) -> BluetoothAudioOutput,
            convert: @escaping @MainActor (BluetoothAudioError) -> MediaDeviceError,
            interrupted: @escaping @MainActor (SoundServerPlayback) -> Void
        ) {
            self.open = open
            self.convert = convert
            self.interrupted = interrupted
        }
    }

    package nonisolated let events: AsyncStream<PlayerEvent>
    private let sink: AsyncStream<PlayerEvent>.Continuation
    private let output: Output
    private var current: SoundServerPlayback?
    private var level: PlayerLevel?
    package private(set) var isLost = false
    private var isClosed = false

    package init(_ output: Output) {
        self.output = output
        (events, sink) = PlayerEvent.makeStream()
    }

    /// Ends playback.
    ///
    /// - Returns: `false` if it was closed before.
    package func close() async -> Bool {
        guard !isClosed else { return false }
        isClosed = true
        sink.finish()
        await replace(nil)
        return true
    }

    /// Reports the level unless it is the same as before.
    package func show(_ level: PlayerLevel) {
        guard level != self.level else { return }
        self.level = level
        sink.yield(.level(level))
    }

    // MARK: Playback

    package func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) {
        await replace(nil)
        try await begin(try await SoundServerPlayback.open(media, as: run))
    }

    /// Plays samples as they come.
    package func play(_ samples: PlayableSamples, as run: PlaybackRun) async throws(MediaDeviceError) {
        do throws(MediaDeviceError) { try await begin(SoundServerPlayback(samples, as: run)) } catch {
            if error.code == .connectionFailed { lose() }
            throw error
        }
    }

    private func begin(_ playback: SoundServerPlayback) async throws(MediaDeviceError) {
        await replace(playback)
        do throws(MediaDeviceError) { try await play(playback) } catch {
            await replace(nil)
            throw error
        }
    }

    /// Resumes a playback that the loss of the device interrupted. The sound comes from this process, so there is none
    /// to adopt after a crash.
    package func resume(_ interrupted: SoundServerPlayback?, as run: PlaybackRun) async throws(MediaDeviceError) {
        guard let interrupted, interrupted.run == run else {
            throw MediaDeviceError(
                .sessionFailed, detail: .notSupported,
                reason: "The sound ended with the process that sent it. Play the media again.")
        }
        await replace(interrupted)
        await interrupted.interrupt()
        do throws(MediaDeviceError) { try await play(interrupted) } catch {
            if error.code == .connectionFailed { lose() }
            throw error
        }
    }

    package func stop(_ run: PlaybackRun) async { if current?.run == run { await replace(nil) } }

    private func replace(_ playback: SoundServerPlayback?) async {
        let previous = current
        current = playback
        playback?.onEvent = { [weak self, weak playback] event in
            if let playback, let self, current === playback { happened(event, playback) }
        }
        await previous?.close()
    }

    private func play(_ playback: SoundServerPlayback) async throws(MediaDeviceError) {
        try await playback.play(opening: output.open, convert: output.convert)
        if current === playback { happened(.progress, playback) } else { await playback.interrupt() }
    }

    // MARK: Requests

    package func setPlaying(_ isPlaying: Bool) { current?.setPlaying(isPlaying) }

    package func seek(to position: Double) async {
        guard let playback = current else { return }
        await playback.interrupt()
        playback.seek(to: position)
        do throws(MediaDeviceError) { try await play(playback) } catch {
            if error.code == .connectionFailed { lose() } else { end(.failed(error), of: playback) }
        }
    }

    // MARK: The device's word

    private func happened(_ event: SoundServerPlayback.Event, _ playback: SoundServerPlayback) {
        switch event {
        case .progress: sink.yield(.playback(playback.snapshot, of: playback.run))
        case .key(.play): playback.setPlaying(true)
        case .key(.pause), .key(.stop): playback.setPlaying(false)
        case .key(.playPause): playback.setPlaying(!playback.isPlaying)
        // There is one item.
        case .key: break
        case .lost: lose()
        case .ended(let ending): end(ending, of: playback)
        }
    }

    private func end(_ ending: PlaybackEnding, of playback: SoundServerPlayback) {
        guard current === playback else { return }
        current = nil
        sink.yield(.ended(ending, of: playback.run))
        Task { await playback.close() }
    }

    /// Reports the loss of the device, and leaves the playback to the next connection.
    package func lose() {
        guard !isLost, !isClosed else { return }
        isLost = true
        if let playback = current {
            current = nil
            // Live sound goes on with the next connection's samples.
            if !playback.isLive { output.interrupted(playback) }
            Task { await playback.interrupt() }
        }
        sink.finish()
    }
}

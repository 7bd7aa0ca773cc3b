import LiveSound
import MediaReading
import Observation
package import PlaybackKit

/// The media of one run, and the sound that is made of it. It outlives the connection.
@MainActor
package final class SoundServerPlayback {
    package enum Event {
        case progress
        case key(BluetoothAudioKey)
        case lost
        case ended(PlaybackEnding)
    }

    /// The latency of live sound for which nobody asks for another one, in seconds.
    private static let liveLatency = 0.2
    /// The number of frames in one write. Live sound is written as it comes.
    private static let batch = 4096

    package let run: PlaybackRun
    package var onEvent: (Event) -> Void = { _ in }
    /// The time from the source to the listener that is asked for, in seconds.
    package let latency: Double?
    private var information: MediaOutputSession.MediaInformation?
    private let source: any SampleSource
    private let live: DeliveredSource?
    private let stopReading: ReadingStop
    private var hasBegun = false
    package private(set) var isPlaying = true
    /// The position in seconds at which the sound in progress began, or the next one begins.
    private var start: Double = 0
    /// The position that is heard, and its time while it advances.
    private var heard: (position: Double, since: CMTime?) = (0, nil)
    /// A Boolean value that indicates whether the source isn't at ``start``: samples that were sent weren't all heard.
    private var isDisplaced = false
    private var output: BluetoothAudioOutput?
    private var feeder: Task<Void, Never>?
    private var follower: Task<Void, Never>?
    private var informing: Task<Void, Never>?

    private init(_ media: PlayableMedia, as run: PlaybackRun, _ source: any SampleSource, _ stop: ReadingStop) {
        self.run = run
        self.source = source
        live = nil
        latency = nil
        information = media.information
        stopReading = stop
    }

    /// The playback of samples as they come: signed 16 bits, in stereo, at the rate of an output.
    package init(_ samples: PlayableSamples, as run: PlaybackRun) {
        let live = DeliveredSource(samples)
        self.run = run
        self.live = live
        source = live
        latency = samples.requestedLatency ?? Self.liveLatency
        stopReading = ReadingStop()
        information = samples.session.mediaInformation
        informing = Task { [weak self, session = samples.session] in
            for await information in Observations({ session.mediaInformation }) { self?.information = information }
        }
    }

    /// Opens the media at its start position. Cancelling the task ends the wait for it.
    package static func open(
        _ media: PlayableMedia, as run: PlaybackRun
    ) async throws(MediaDeviceError) -> SoundServerPlayback {
        let stop = ReadingStop()
        do throws(DecodingError) {
            let source = try await DecodedSource.open(
                media.session?.reader, rate: BluetoothAudioOutput.sampleRate, stop: stop)
            let playback = SoundServerPlayback(media, as: run, source, stop)
            if let start = media.startPosition, start > 0 { playback.seek(to: start) }
            return playback
        } catch {
            throw MediaDeviceError(error)
        }
    }

    // MARK: Sound

    /// Plays from the position of the last ``interrupt()`` or ``seek(to:)``.
    ///
    /// - Parameters:
    ///   - open: Opens an output of the sound server, for media and paused or not.
    ///   - convert: Returns the error to throw for one of the output.
    package func play(
        opening open:
            (BluetoothAudioMedia, Bool, _ latency: Double?) async throws(BluetoothAudioError) -> BluetoothAudioOutput,
        convert: (BluetoothAudioError) -> MediaDeviceError
    ) async throws(MediaDeviceError) {
        let frame = Int64((start * Double(BluetoothAudioOutput.sampleRate)).rounded())
        do throws(DecodingError) { if isDisplaced { try await source.seek(toFrame: frame) } } catch {
            throw MediaDeviceError(error)
        }
        isDisplaced = false
        let wasPlaying = isPlaying
        let output: BluetoothAudioOutput
        do throws(BluetoothAudioError) {
            output = try await open(description, !wasPlaying, latency)
        } catch {
            throw convert(error)
        }
        self.output = output
        if isPlaying != wasPlaying { output.setPaused(!isPlaying) }
        feeder = Task { [weak self, source, live] in
            do throws(DecodingError) {
                while !Task.isCancelled {
                    let batch = if let live { await live.nextFrames() } else { try await source.frames(Self.batch) }
                    await self?.beginLive()
                    if !batch.samples.isEmpty, await !output.write(batch.samples) { return }
                    if batch.isLast { return output.finish() }
                }
            } catch .cancelled {
                // The sound is being ended.
            } catch {
                self?.onEvent(.ended(.failed(MediaDeviceError(error))))
            }
        }
        follower = Task { [weak self] in
            for await event in output.events where !Task.isCancelled { self?.happened(event) }
        }
    }

    /// Takes the position of live sound, which doesn't begin at 0 after a loss of the device.
    private func beginLive() async {
        guard let live, !hasBegun else { return }
        hasBegun = true
        start = await live.start ?? 0
    }

    private func happened(_ event: BluetoothAudioOutput.Event) {
        switch event {
        case .heard(let seconds, let time, let isRunning):
            heard = (start + seconds, isRunning ? CMTime(value: time, timescale: 1_000_000_000) : nil)
            output?.describe(description)
            onEvent(.progress)
        case .key(let key): onEvent(.key(key))
        case .ended: onEvent(.ended(.finished))
        case .failed: onEvent(.lost)
        }
    }

    package func setPlaying(_ isPlaying: Bool) {
        if isPlaying != self.isPlaying { output?.setPaused(!isPlaying) }
        self.isPlaying = isPlaying
        onEvent(.progress)
    }

    /// Moves the start of the next sound. A live stream continues where it is.
    package func seek(to position: Double) {
        guard source.facts.isSeekable else { return }
        start = position
        heard = (position, nil)
        isDisplaced = true
    }

    /// Ends the sound, after which the next one begins at the position that was heard last.
    package func interrupt() async {
        start = position(at: CMClockGetTime(.hostTimeClock))
        heard = (start, nil)
        seek(to: start)
        follower?.cancel()
        output?.close()
        output = nil
        feeder?.cancel()
        await feeder?.value
    }

    /// Ends the sound and the reading of the media.
    package func close() async {
        onEvent = { _ in }
        stopReading.stop()
        informing?.cancel()
        await interrupt()
    }

    // MARK: State

    package var isLive: Bool { live != nil }

    private func position(at time: CMTime) -> Double {
        heard.position + (heard.since.map { max(0, (time - $0).seconds) } ?? 0)
    }

    /// The metadata for the device's display.
    private var description: BluetoothAudioMedia {
        let facts = source.facts
        return BluetoothAudioMedia(
            title: information?.title ?? facts.title, artist: information?.artist ?? facts.artist,
            album: information?.title == nil ? facts.album : nil, duration: facts.duration, position: heard.position,
            isPlaying: isPlaying)
    }

    package var snapshot: PlaybackSnapshot {
        let now = CMClockGetTime(.hostTimeClock)
        var snapshot = PlaybackSnapshot(
            isPlaying: isPlaying, position: position(at: now), time: now.seconds, duration: source.facts.duration)
        // The sound server's output tells a new position only if it's another than expected.
        snapshot.positionTolerance = 0
        snapshot.isBuffering = isPlaying && heard.since == nil
        snapshot.isLive = source.facts.duration == nil
        snapshot.canSeek = source.facts.isSeekable
        let description = description
        snapshot.title = description.title
        let subtitle = [description.artist, description.album].compactMap { $0 }.joined(separator: " · ")
        snapshot.subtitle = subtitle.isEmpty ? nil : subtitle
        return snapshot
    }
}

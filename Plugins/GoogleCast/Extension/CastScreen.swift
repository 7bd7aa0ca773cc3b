import CastStreaming
import GoogleCastProtocol
import Opus
import PlaybackKit

/// The screen of this computer on its way to a device, with its sound. Both keep the times at which they were captured, so
/// that the device plays together what belongs together.
actor CastScreen: CastLiveStream {
    /// The time for which pictures from before the device was ready are left out.
    private static let settling = 1.0

    nonisolated let events: AsyncStream<CastLiveEvent>
    nonisolated let transmission: CastTransmission
    private let sink: AsyncStream<CastLiveEvent>.Continuation
    private let video: PlayableVideo
    private let samples: PlayableSamples?
    private let encoder: OpusEncoder?
    private var frames = SoundFrames()
    private let opened = CastPlayer.now
    private var hasBegun = false
    private var tasks: [Task<Void, Never>] = []
    private var isClosed = false

    /// - Parameters:
    ///   - samples: Signed 16-bit samples, in stereo, at the rate of the stream; `nil` for a screen without sound.
    ///   - encoder: For the sound; `nil` if the device takes none.
    init(
        _ video: PlayableVideo, _ samples: PlayableSamples?, _ encoder: sending OpusEncoder?,
        to transmission: CastTransmission
    ) {
        self.video = video
        self.samples = samples
        self.encoder = encoder
        self.transmission = transmission
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    func begin() {
        guard !isClosed else { return }
        tasks = [
            Task { [weak self, transmission] in for await event in transmission.events { await self?.happened(event) }
            },
            Task { [weak self, video] in
                for await frame in video { guard await self?.show(frame) == true else { return } }
                await self?.finish()
            },
        ]
        guard let samples, encoder != nil else { return }
        tasks.append(
            Task { [weak self] in for await block in samples { guard await self?.play(block) == true else { return } } }
        )
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        for task in tasks { task.cancel() }
        sink.finish()
        await transmission.close()
    }

    func setPlaying(_ isPlaying: Bool) throws(MediaDeviceError) {
        throw MediaDeviceError(.notSupported, "The screen can't be paused.")
    }

    /// - Returns: `false` after the end.
    private func show(_ frame: MediaVideoFrame) async -> Bool {
        guard !isClosed else { return false }
        let time = frame.hostTime.seconds
        if !hasBegun {
            // Old pictures waited for the device's app. They would be shown too late, one after the other.
            let now = CastPlayer.now
            let isCurrent = now - time < transmission.delay / 2 || now - opened > Self.settling
            guard isCurrent, frame.isKeyFrame else {
                video.requestKeyFrame()
                return true
            }
            hasBegun = true
            sink.yield(.playing(position: 0, time: time + transmission.delay))
        }
        await transmission.send(Array(frame.accessUnit), .pictures, isKey: frame.isKeyFrame, from: time)
        return await transmission.waitForRoom()
    }

    /// - Returns: `false` after the end.
    private func play(_ block: MediaSampleBlock) async -> Bool {
        guard !isClosed, let encoder else { return false }
        for (frame, time) in frames.add(block.signed16, from: block.hostTime.seconds) {
            guard let packet = try? encoder.encode(frame) else { continue }
            await transmission.send(packet, .sound, from: time)
        }
        return !isClosed
    }

    /// The screen isn't shared any more. The last picture is still on its way to the viewer.
    private func finish() async {
        guard !isClosed, (try? await Task.sleep(for: .seconds(transmission.delay))) != nil else { return }
        sink.yield(.finished)
    }

    private func happened(_ event: CastTransmission.Event) {
        switch event {
        case .keyFrameNeeded: video.requestKeyFrame()
        case .report(let report): sink.yield(report)
        }
    }
}

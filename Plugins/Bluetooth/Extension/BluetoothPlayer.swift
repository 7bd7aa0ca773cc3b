import BluetoothProtocol
import Foundation
import LiveSound
import MediaDecoding
import MediaDevice

/// The playback of one item on a device: reads the media and sends it to the sound server.
///
/// The requested state is stored, and one task applies it. Of ten positions of a slider, only the last is used. If the
/// device is switched off, playback waits for it and resumes.
@MainActor
final class BluetoothPlayer {
    enum Report {
        case started
        case ended
        case failed(MediaDeviceError)
    }

    /// Seconds for which a device that went away is awaited.
    private static let patience = Duration.seconds(90)
    private static let rate = Double(BluetoothAudioOutput.sampleRate)

    let device: MediaOutputDevice.ID
    let control: LiveSoundControl
    var onReport: (Report) -> Void = { _ in }

    private let address: String
    private let information: MediaOutputSession.MediaInformation?
    private let find: @MainActor () async throws(BluetoothAudioError) -> BluetoothAudioDevice
    private let stopDecoding = DecodingStop()
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private var worker: Task<Void, Never>?
    private var source: SampleSource?
    private var run: BluetoothRun?
    private var isStopped = false
    /// The position that a person requested, in seconds.
    private var wantedPlace: Double?
    private var failure: MediaDeviceError?

    /// - Parameters:
    ///   - address: What the media is read from.
    ///   - find: The device as it is now.
    init(
        _ address: String, _ information: MediaOutputSession.MediaInformation?, on device: MediaOutputDevice.ID,
        find: @escaping @MainActor () async throws(BluetoothAudioError) -> BluetoothAudioDevice
    ) {
        self.address = address
        self.information = information
        self.device = device
        self.find = find
        control = LiveSoundControl(information: information)
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func start() { if !isStopped { worker = Task { await live() } } }

    /// Ends it; returns once it is silent.
    func stop() async {
        isStopped = true
        stopDecoding.stop()
        wake.finish()
        worker?.cancel()
        await worker?.value
    }

    /// Performs a person's command.
    func perform(_ command: LiveSoundControl.Command) {
        if case .seek(let seconds) = command { wantedPlace = seconds }
        wake.yield()
    }

    // MARK: Its life

    private func live() async {
        do throws(MediaDeviceError) {
            try await begin()
            for await _ in wakes where !isStopped {
                guard try await reconcile() else { break }
            }
            await end(nil)
        } catch {
            await end(error)
        }
    }

    private func end(_ error: MediaDeviceError?) async {
        control.finish(error)
        stopDecoding.stop()
        await halt()
        guard !isStopped else { return }
        onReport(error.map { .failed($0) } ?? .ended)
    }

    private func begin() async throws(MediaDeviceError) {
        let source = try await Self.media { () async throws(DecodingError) in
            try await SampleSource.open(
                address, rate: BluetoothAudioOutput.sampleRate, information: information, stop: stopDecoding)
        }
        self.source = source
        control.opened(source.facts)
        let place = source.facts.isSeekable ? information?.startPosition ?? 0 : 0
        if place != 0 { try await seek(to: place, in: source) }
        try await play(from: place, source)
        onReport(.started)
        wake.yield()
    }

    /// Applies the requested state.
    ///
    /// - Returns: `false` after the end of the media.
    private func reconcile() async throws(MediaDeviceError) -> Bool {
        if let failure { throw failure }
        guard let source else { return false }
        if let place = wantedPlace {
            wantedPlace = nil
            await halt()
            control.stands(at: place, isBuffering: control.isPlaying)
            try await seek(to: place, in: source)
            try await play(from: place, source)
        }
        switch run?.outcome {
        case .ended: return false
        case .lost(let error): try await goOn(after: error, source)
        case nil: break
        }
        run?.setPaused(!control.isPlaying)
        return true
    }

    /// Waits for a lost device, and then resumes playback.
    private func goOn(after error: BluetoothAudioError, _ source: SampleSource) async throws(MediaDeviceError) {
        let place = run?.place(at: CMClockGetTime(.hostTimeClock)) ?? 0
        await halt()
        control.stands(at: place, isBuffering: control.isPlaying)
        let limit = ContinuousClock.now + Self.patience
        var pauses = BluetoothReconnection()
        var reason = MediaDeviceError(error)
        // What is sent live went on meanwhile.
        if source.facts.isSeekable { try await seek(to: place, in: source) }
        while ContinuousClock.now < limit, (try? await Task.sleep(for: pauses.next())) != nil {
            do throws(MediaDeviceError) {
                return try await play(from: place, source)
            } catch {
                reason = error
            }
        }
        throw reason
    }

    // MARK: Steps

    private func seek(to place: Double, in source: SampleSource) async throws(MediaDeviceError) {
        try await Self.media { () async throws(DecodingError) in
            try await source.seek(toFrame: Int64((place * Self.rate).rounded()))
        }
    }

    /// Plays from the source's current place, `place` seconds from the beginning.
    private func play(from place: Double, _ source: SampleSource) async throws(MediaDeviceError) {
        let isPaused = !control.isPlaying
        let output: BluetoothAudioOutput
        do throws(BluetoothAudioError) {
            output = try await BluetoothAudioOutput.open(
                try await find().id, media: media(at: place), isPaused: isPaused)
        } catch {
            throw MediaDeviceError(error)
        }
        let run = BluetoothRun(output, from: place, isPaused: isPaused)
        self.run = run
        run.onChange = { [weak self, weak run] in
            guard let self, let run, self.run === run else { return }
            show(run)
        }
        run.onFailure = { [weak self] error in
            self?.failure = self?.failure ?? MediaDeviceError(error)
            self?.wake.yield()
        }
        run.onKey = { [weak self] in self?.pressed($0) }
        run.begin(source)
    }

    private func show(_ run: BluetoothRun) {
        if run.outcome != nil {
            wake.yield()
            return
        }
        guard let heard = run.heard else { return }
        if heard.isRunning {
            control.runs(from: heard.place, at: heard.time)
        } else {
            control.stands(at: heard.place, isBuffering: control.isPlaying)
        }
        run.describe(media(at: heard.place))
    }

    private func media(at place: Double) -> BluetoothAudioMedia {
        let facts = source?.facts
        return BluetoothAudioMedia(
            title: information?.title ?? facts?.title, artist: information?.artist ?? facts?.artist,
            album: information?.title == nil ? facts?.album : nil, duration: facts?.duration, position: place,
            isPlaying: control.isPlaying)
    }

    private func pressed(_ key: BluetoothAudioKey) {
        switch key {
        case .play: control.isPlaying = true
        case .pause, .stop: control.isPlaying = false
        case .playPause: control.isPlaying.toggle()
        // There is one piece.
        default: break
        }
    }

    private func halt() async {
        let ending = run
        run = nil
        await ending?.end()
    }

    private static func media<Value: Sendable>(
        _ work: () async throws(DecodingError) -> Value
    ) async throws(MediaDeviceError) -> Value {
        do {
            return try await work()
        } catch {
            throw MediaDeviceError(error)
        }
    }
}

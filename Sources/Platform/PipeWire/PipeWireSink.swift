import CPipeWire
import Glibc
import SoundFeed

/// One sink in PipeWire's graph; used with the connection's lock, as its callbacks are.
final class PipeWireSink {
    // The time a program that hangs may hold up the others, in nanoseconds.
    private static let patience: UInt64 = 300_000_000
    /// The time programs get to start, in nanoseconds. PipeWire 0.3.65 counts on a program as soon as it has sent it
    /// the start command. If the program is driven before it has received that command, its samples are lost.
    private static let beginning: UInt64 = 200_000_000
    /// The interval for checking a feed that accepts no samples, in nanoseconds.
    private static let pause: UInt64 = 5_000_000

    private var sink: ServedSink
    private let feed: SoundFeed
    /// `nil` once it is destroyed.
    private var handle: OpaquePointer?
    private let onEvent: @Sendable (ServedSinkEvent) -> Void

    private var pace = SamplePace(rate: SoundFeed.rate, blockLength: SoundFeed.blockLength)
    /// A Boolean value that indicates whether programs play to the sink.
    private var isRunning = false
    /// The time from which programs may be driven; in nanoseconds.
    private var started: UInt64 = 0
    /// The time of the request for a block that programs haven't delivered yet; in nanoseconds.
    private var askedAt: UInt64?
    private var isTimed = false
    private var isReady = false
    /// A Boolean value that indicates whether a program has ever played to the sink. Until then the session manager may
    /// still set its level.
    private var isSettled = false
    /// A program set a value that the sink must not show. The timer corrects it: PipeWire 0.3.65 doesn't report a
    /// change made within the notification of another.
    private var isWrong = false
    /// The level shown in the graph: a notification with the same value is not a request.
    private var shownVolume: Float = 1
    private var shownMute = false

    /// - Throws: ``SoundServerError`` if it cannot be made.
    init(
        _ sink: ServedSink, on connection: OpaquePointer, silence: Double,
        onEvent: @escaping @Sendable (ServedSinkEvent) -> Void
    ) throws(SoundServerError) {
        self.sink = sink
        self.onEvent = onEvent
        feed = SoundFeed(patience: silence) { [id = sink.id] event in onEvent(.feed(event, id: id)) }
        var callbacks = Self.callbacks
        handle = mdhost_pw_sink_new(
            connection, ServedSink.outputName(of: sink.id), sink.name, UInt32(SoundFeed.rate),
            UInt32(SoundFeed.blockLength), &callbacks, Unmanaged.passUnretained(self).toOpaque())
        if handle == nil { throw SoundServerError("PipeWire makes no sink: \(PipeWireConnection.text(errno))") }
    }

    /// Destroys the node; no callback comes afterwards.
    func destroy() {
        let destroyed = handle.take()
        if let destroyed { mdhost_pw_sink_destroy(destroyed) }
        feed.shut()
    }

    /// - Returns: `false` if the sink has to be created again for the change.
    func take(_ wanted: ServedSink) -> Bool {
        // Recreating the sink would move the programs that play to it elsewhere, so it waits until none does.
        if !isRunning, wanted.hasLevel != sink.hasLevel || wanted.canMute != sink.canMute { return false }
        if let handle, wanted.name != sink.name { mdhost_pw_sink_set_description(handle, wanted.name) }
        let isDelayNew = wanted.delay != sink.delay
        let (hasLevel, canMute) = (sink.hasLevel, sink.canMute)
        sink = wanted
        (sink.hasLevel, sink.canMute) = (hasLevel, canMute)
        showLevel()
        if isDelayNew { showDelay() }
        return true
    }

    /// - Throws: ``SoundServerError`` if the system has no descriptors left.
    func open() throws(SoundServerError) -> Int32 {
        let reader = try feed.open()
        wakeUp()
        return reader
    }

    func shut() {
        feed.shut()
        wakeUp()
    }

    var progress: SampleProgress? { feed.progress }

    private func showDelay() {
        guard isReady, let handle else { return }
        mdhost_pw_sink_set_latency(handle, UInt64(max(0, sink.delay ?? 0) * 1e9))
    }

    // MARK: Called on the library's thread

    private static let callbacks = mdhost_pw_sink_events(
        running: { data, isRunning in PipeWireSink.from(data).runs(isRunning) },
        ready: { data in PipeWireSink.from(data).ready() },
        level: { data, volume, isMuted in PipeWireSink.from(data).heard(volume, isMuted) },
        samples: { data, bytes, length in
            PipeWireSink.from(data).played(UnsafeRawBufferPointer(start: bytes, count: length / 4 * 4))
        },
        tick: { data in PipeWireSink.from(data).tick() })

    private static func from(_ data: UnsafeMutableRawPointer) -> PipeWireSink {
        Unmanaged<PipeWireSink>.fromOpaque(data).takeUnretainedValue()
    }

    private func runs(_ isRunning: Bool) {
        if isRunning, !self.isRunning { started = SamplePace.now + Self.beginning }
        self.isRunning = isRunning
        askedAt = nil
        guard isRunning else { return wait() }
        isSettled = true
        wakeUp()
    }

    private func played(_ samples: UnsafeRawBufferPointer) {
        askedAt = nil
        feed.take(samples)
        wait()
    }

    /// Starts the block timer, which runs as long as programs play or a reader takes samples.
    private func wakeUp() {
        if !isTimed { pace.restart(at: SamplePace.now) }
        isTimed = true
        wait()
    }

    private func wait() {
        guard isTimed, let handle else { return }
        // A program that is driven again before it has delivered loses the pending block.
        mdhost_pw_sink_set_timer(handle, askedAt.map { $0 + Self.patience } ?? pace.next)
    }

    private func tick() {
        if isWrong { setLevel() }
        guard isRunning || feed.wantsSilence, let handle else {
            isTimed = false
            return
        }
        let now = SamplePace.now
        if let asked = askedAt, now < asked + Self.patience { return wait() }
        askedAt = nil
        guard feed.takesBlock else {
            // A delay of a busy reader is caught up with; the time before there is a reader is not.
            if !feed.isOpen { pace.restart(at: now) }
            return mdhost_pw_sink_set_timer(handle, now + Self.pause)
        }
        guard now >= pace.next else { return wait() }
        if isRunning, now >= started {
            var (frames, rate) = (UInt32(0), UInt32(0))
            mdhost_pw_sink_block(handle, &frames, &rate)
            pace.passed(frames: Int(frames), of: Int(rate), at: now)
            askedAt = now
            mdhost_pw_sink_run(handle)
        } else if pace.take(at: now) {
            feed.takeSilence()
        }
        wait()
    }

    // MARK: Level

    private func ready() {
        isReady = true
        setLevel()
        showLevel()
        if sink.delay != nil { showDelay() }
    }

    private func setLevel() {
        guard let handle else { return }
        isWrong = false
        if sink.hasLevel { mdhost_pw_sink_set_volume(handle, shownVolume) }
        if sink.canMute { mdhost_pw_sink_set_mute(handle, shownMute) }
    }

    private func correct(_ handle: OpaquePointer) {
        isWrong = true
        mdhost_pw_sink_set_timer(handle, SamplePace.now)
    }

    private func showLevel() {
        guard isReady, let handle else { return }
        // The level shown to people is the cube root of the factor applied to samples.
        if sink.hasLevel, let volume = sink.level.map({ Float($0 * $0 * $0) }), abs(volume - shownVolume) > 1e-6 {
            shownVolume = volume
            mdhost_pw_sink_set_volume(handle, volume)
        }
        if sink.canMute, sink.isMuted != shownMute {
            shownMute = sink.isMuted
            mdhost_pw_sink_set_mute(handle, shownMute)
        }
    }

    private func heard(_ volume: Float, _ isMuted: Int32) {
        guard isReady, let handle else { return }
        guard isSettled else {
            // A request by no person; it must not become the device's level.
            if sink.hasLevel, volume >= 0, abs(volume - shownVolume) > 1e-6 { correct(handle) }
            return
        }
        if sink.hasLevel, volume >= 0, abs(volume - shownVolume) > 1e-6 {
            shownVolume = volume
            onEvent(.level(min(1, cbrt(Double(volume))), id: sink.id))
        }
        if sink.canMute, isMuted >= 0, (isMuted > 0) != shownMute {
            shownMute = isMuted > 0
            // The program that set this has muted the samples as well.
            correct(handle)
            onEvent(.muted(shownMute, id: sink.id))
        }
    }
}

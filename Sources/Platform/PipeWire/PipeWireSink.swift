import CPipeWire
import Glibc
import SoundFeed

/// One sink in PipeWire's graph; used with the connection's lock, as its callbacks are.
final class PipeWireSink {
    // In nanoseconds.
    /// How long a program that hangs holds up the others.
    private static let patience: UInt64 = 300_000_000
    /// How long programs get to start. PipeWire 0.3.65 counts on each of them as soon as it has told it to, and what one plays that
    /// is asked before it has heard of that is lost.
    private static let beginning: UInt64 = 200_000_000
    /// After which a feed is looked at again that takes nothing.
    private static let pause: UInt64 = 5_000_000

    private var sink: ServedSink
    private let feed: SoundFeed
    /// `nil` once it is destroyed.
    private var handle: OpaquePointer?
    private let onEvent: @Sendable (ServedSinkEvent) -> Void

    private var pace = SamplePace(rate: SoundFeed.rate, blockLength: SoundFeed.blockLength)
    /// Whether programs play to it.
    private var isRunning = false
    /// When they may be asked to; in nanoseconds.
    private var started: UInt64 = 0
    /// When programs were asked for the block that they have not played yet; in nanoseconds.
    private var askedAt: UInt64?
    private var isTimed = false
    private var isReady = false
    /// Whether anything was ever played to it: until then the session manager is not done with it, and may set its level.
    private var isSettled = false
    /// Somebody set what it is not to show. Put right by the timer: of two changes at a time, one inside the other, PipeWire 0.3.65
    /// tells nobody.
    private var isWrong = false
    /// As the graph shows it: what says the same is nobody's wish.
    private var shownVolume: Float = 1
    private var shownMute = false

    /// - Throws: ``SoundServerError`` where it cannot be made.
    init(
        _ sink: ServedSink, on connection: OpaquePointer, silence: Double,
        onEvent: @escaping @Sendable (ServedSinkEvent) -> Void
    ) throws(SoundServerError) {
        self.sink = sink
        self.onEvent = onEvent
        feed = SoundFeed(patience: silence) { [id = sink.id] event in onEvent(.feed(event, id: id)) }
        var callbacks = Self.callbacks
        handle = mdhost_pw_sink_new(
            connection, "mdhost." + sink.id, sink.name, UInt32(SoundFeed.rate), UInt32(SoundFeed.blockLength),
            &callbacks, Unmanaged.passUnretained(self).toOpaque())
        if handle == nil { throw SoundServerError("PipeWire makes no sink: \(PipeWireConnection.text(errno))") }
    }

    /// No callback comes any more.
    func destroy() {
        let destroyed = handle.take()
        if let destroyed { mdhost_pw_sink_destroy(destroyed) }
        feed.shut()
    }

    /// - Returns: Whether it can be that without being made anew.
    func take(_ wanted: ServedSink) -> Bool {
        // Programs that play to it would be moved elsewhere; they are when nobody does.
        if !isRunning, wanted.hasLevel != sink.hasLevel || wanted.canMute != sink.canMute { return false }
        if let handle, wanted.name != sink.name { mdhost_pw_sink_set_description(handle, wanted.name) }
        let (hasLevel, canMute) = (sink.hasLevel, sink.canMute)
        sink = wanted
        (sink.hasLevel, sink.canMute) = (hasLevel, canMute)
        showLevel()
        return true
    }

    /// - Throws: ``SoundServerError`` where the system has no descriptors left.
    func open() throws(SoundServerError) -> Int32 {
        let reader = try feed.open()
        wakeUp()
        return reader
    }

    func shut() {
        feed.shut()
        wakeUp()
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

    /// Blocks are due from now on, for as long as anybody plays or takes them.
    private func wakeUp() {
        if !isTimed { pace.restart(at: SamplePace.now) }
        isTimed = true
        wait()
    }

    private func wait() {
        guard isTimed, let handle else { return }
        // Whoever is asked again before it has played loses what it was about to play.
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
            // What a busy machine reads late is caught up with, unlike what nobody reads yet.
            if !feed.isOpen { pace.restart(at: now) }
            return mdhost_pw_sink_set_timer(handle, now + Self.pause)
        }
        if pace.take(at: now) {
            if isRunning, now >= started {
                askedAt = now
                mdhost_pw_sink_run(handle)
            } else {
                feed.takeSilence()
            }
        }
        wait()
    }

    // MARK: Level

    private func ready() {
        isReady = true
        setLevel()
        showLevel()
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
        // As people see it, a level is the cube root of what it is to samples.
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
            // Nobody's wish, and never the device's new level.
            if sink.hasLevel, volume >= 0, abs(volume - shownVolume) > 1e-6 { correct(handle) }
            return
        }
        if sink.hasLevel, volume >= 0, abs(volume - shownVolume) > 1e-6 {
            shownVolume = volume
            onEvent(.level(min(1, cbrt(Double(volume))), id: sink.id))
        }
        if sink.canMute, isMuted >= 0, (isMuted > 0) != shownMute {
            shownMute = isMuted > 0
            // Whoever said so has muted the samples as well.
            correct(handle)
            onEvent(.muted(shownMute, id: sink.id))
        }
    }
}

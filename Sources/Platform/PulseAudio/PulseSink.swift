import CPulseAudio
import Glibc
import SoundFeed

/// One PulseAudio sink: a `module-tunnel-sink` whose server is this program. It is asked for samples at playback speed, so the
/// sink plays no faster. Used on the loop only.
final class PulseSink {
    /// The interval for checking a reader or a server that is late, in nanoseconds.
    private static let pause: UInt64 = 5_000_000
    /// The longest delay of a reader that PulseAudio isn't told of, in nanoseconds.
    private static let longestDelay: UInt64 = 50_000_000
    /// The time that PulseAudio has to show the sink, in nanoseconds.
    private static let patience: UInt64 = 5_000_000_000

    let feed: SoundFeed
    /// The sink as it was wanted last.
    private(set) var sink: ServedSink
    /// The index of the module once it is loaded.
    var module: UInt32?
    /// A function that is called when PulseAudio has removed the sink.
    var onEnd: () -> Void = {}
    private let context: OpaquePointer
    private let interface: UnsafeMutablePointer<pa_mainloop_api>
    private let onEvent: @Sendable (ServedSinkEvent) -> Void
    private let listener: TunnelListener
    private var session = TunnelSession()
    /// `nil` once the sink has ended.
    private var timer: OpaquePointer?
    private var isTimed = false
    /// A Boolean value that indicates whether programs play to the sink; `nil` until PulseAudio has said so.
    private var isRunning: Bool?
    private var pace = SamplePace(rate: SoundFeed.rate, blockLength: SoundFeed.blockLength)
    private var isShown = false
    private var showing: CheckedContinuation<Void, Never>?

    /// Makes the socket that PulseAudio's module connects to.
    ///
    /// - Parameter context: Outlives it.
    /// - Throws: ``SoundServerError`` if that is not possible.
    init(
        _ sink: ServedSink, path: String, context: OpaquePointer, interface: UnsafeMutablePointer<pa_mainloop_api>,
        silence: Double, onEvent: @escaping @Sendable (ServedSinkEvent) -> Void
    ) throws(SoundServerError) {
        self.sink = sink
        self.context = context
        self.interface = interface
        self.onEvent = onEvent
        listener = try TunnelListener(path, interface)
        feed = SoundFeed(patience: silence) { [id = sink.id] in onEvent(.feed($0, id: id)) }
        timer = pa_context_rttime_new(
            context, .max,
            { _, _, _, sink in
                guard let sink else { return }
                Unmanaged<PulseSink>.fromOpaque(sink).takeUnretainedValue().tick()
            }, Unmanaged.passUnretained(self).toOpaque())
        listener.onRead = { [weak self] in self?.read($0) }
        show(sink)
    }

    /// To be called before it is given up.
    func end() {
        guard let timer else { return }
        interface.pointee.time_free(timer)
        self.timer = nil
        feed.shut()
        listener.close()
        shown()
    }

    // MARK: What people see

    /// Waits until PulseAudio shows the sink, after its module was loaded.
    ///
    /// - Returns: `false` if it doesn't.
    func isShown(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        if !isShown, timer != nil {
            isTimed = true
            wait(until: SamplePace.now + Self.patience)
            await withCheckedContinuation { showing = $0 }
        }
        return isShown
    }

    private func shown() {
        showing?.resume()
        showing = nil
    }

    /// Changes the level and the delay.
    func show(_ wanted: ServedSink) {
        sink = wanted
        perform(
            session.show(
                level: wanted.hasLevel ? wanted.level : nil, isMuted: wanted.canMute ? wanted.isMuted : nil,
                delay: wanted.delay ?? 0))
    }

    /// Records whether programs play to the sink.
    func setRunning(_ isRunning: Bool) {
        self.isRunning = isRunning
        if isShown, isRunning { wakeUp() } else { begin() }
    }

    /// Shows the sink once it can be asked for samples and it is known whether programs play to it already: PulseAudio puts
    /// those back that an earlier sink of the same name had.
    private func begin() {
        guard session.hasStream, !isShown, let isRunning else { return }
        isShown = true
        isTimed = false
        if isRunning { wakeUp() } else { perform(session.requestSilence() + session.rest()) }
        shown()
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

    // MARK: The time of samples

    /// Starts asking for samples, which continues as long as needed.
    private func wakeUp() {
        guard !isTimed, isShown else { return }
        isTimed = true
        pace.restart(at: SamplePace.now)
        wait(until: pace.next)
    }

    private func wait(until time: UInt64) {
        if let timer { pa_context_rttime_restart(context, timer, time / 1000 + 1) }
    }

    private func tick() {
        guard isShown, isRunning == true || feed.wantsSilence else {
            isTimed = false
            perform(session.rest())
            return shown()
        }
        let now = SamplePace.now
        guard feed.takesBlock else {
            // A delay of a busy reader is caught up with; the time before there is a reader is not.
            if !feed.isOpen { pace.restart(at: now) }
            if !feed.isOpen || now > pace.next + Self.longestDelay { perform(session.rest()) }
            return wait(until: now + Self.pause)
        }
        guard now >= pace.next else { return wait(until: pace.next) }
        // Also silence, so that PulseAudio's clock goes on.
        if isRunning == true || session.delivers {
            guard session.outstanding == 0 else { return wait(until: now + Self.pause) }
            perform(session.request())
        } else {
            feed.takeSilence()
        }
        pace.passed(frames: SoundFeed.blockLength, at: now)
        wait(until: pace.next)
    }

    // MARK: PulseAudio

    private func read(_ bytes: [UInt8]?) {
        guard let bytes else { return ended() }
        var now = timeval()
        gettimeofday(&now, nil)
        do throws(TunnelFailure) {
            perform(
                try session.take(
                    bytes, now: TunnelTime(seconds: UInt32(now.tv_sec), microseconds: UInt32(now.tv_usec)),
                    wait: isTimed ? Double(Int64(pace.next) - Int64(SamplePace.now)) / 1_000_000_000 : 0))
        } catch {
            ended()
        }
    }

    private func ended() {
        end()
        onEnd()
    }

    private func perform(_ events: [TunnelSession.Event]) {
        for event in events {
            switch event {
            case .send(let bytes): listener.send(bytes)
            case .samples(var samples):
                TunnelGain(of: sink, level: session.level, isMuted: session.isMuted).apply(to: &samples)
                samples.withUnsafeBytes { feed.take($0) }
            case .begun: begin()
            case .level(let level): if sink.hasLevel { onEvent(.level(level, id: sink.id)) }
            case .muted(let isMuted): if sink.canMute { onEvent(.muted(isMuted, id: sink.id)) }
            }
        }
    }
}

import CPulseAudio
import Glibc
import SoundFeed

/// Plays samples on one output of a server that speaks PulseAudio's protocol: PulseAudio itself, or PipeWire.
///
/// It reads samples from a descriptor at playback speed, so the writer is slowed down to it. The requested output is
/// never replaced by another: if it disappears, playback ends. Runs on a thread of its own (``PulseLoop``).
///
/// Source: PulseAudio 16.1, `pulse/stream.h`.
package actor PulsePlayer {
    package enum Event: Sendable, Hashable {
        /// The playback position in seconds at a time of the monotonic clock (nanoseconds), and whether playback is
        /// running.
        case heard(seconds: Double, time: Int64, isRunning: Bool)
        /// All samples have been played; the last event.
        case ended
        /// The output or its server is gone; the last event.
        case lost
    }

    package enum Failure: Error, Sendable, Hashable {
        /// No server answers; carries the library's message.
        case noServer(String)
        /// The server has no such output, and got none in time.
        case noOutput
        /// The server has it and takes no sound for it.
        case refused(String)
    }

    /// Frames a second: left and right, 16 bit, little end first.
    package static let rate = 44_100
    private static let bytesPerFrame = 4
    /// Seconds that wait in the server, and those without which it does not begin.
    private static let waiting = 1.0
    private static let beginning = 0.25
    /// The difference of a position from the expected one that isn't told, in seconds: half a picture of a film.
    private static let tolerance = 0.02
    /// Seconds that may be asked for.
    private static let latencies = 0.02...waiting
    /// Seconds that wait for the default output, in the server and in the output together.
    private static let defaultWaiting = 0.5

    package nonisolated let events: AsyncStream<Event>
    private nonisolated let eventsContinuation: AsyncStream<Event>.Continuation
    private nonisolated let loop: PulseLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    /// The descriptor that samples are read from; -1 once it is closed.
    private var source: Int32
    private var context: PulseContext?
    private var stream: OpaquePointer?
    /// The watch for readable samples.
    private var watch: OpaquePointer?
    private var playing: PulsePlaying
    /// The part of a frame whose rest has not come yet.
    private var rest: [UInt8] = []
    private var isDraining = false
    private var isOver = false
    private var told: (seconds: Double, time: Int64, isRunning: Bool)?
    // While the output is looked for.
    private var hasNews = false
    private var isLate = false
    private var waiter: CheckedContinuation<Void, Never>?

    init(reading source: Int32, isPaused: Bool) throws(Failure) {
        do throws(SoundServerError) {
            loop = try PulseLoop()
        } catch {
            Glibc.close(source)
            throw .noServer(error.message)
        }
        self.source = source
        playing = PulsePlaying(isPaused: isPaused)
        (events, eventsContinuation) = AsyncStream.makeStream()
        _ = fcntl(source, F_SETFL, fcntl(source, F_GETFL) | O_NONBLOCK)
    }

    isolated deinit { release() }

    // MARK: Control

    /// Pauses or resumes playback.
    package func setPaused(_ isPaused: Bool) {
        guard let stream, !isOver, isPaused != playing.isPaused else { return }
        playing.isPaused = isPaused
        if let operation = pa_stream_cork(stream, isPaused ? 1 : 0, nil, nil) { pa_operation_unref(operation) }
        tell()
    }

    /// Ends playback at once; samples that haven't been played are lost.
    package func close() {
        finish(nil)
        release()
    }

    // MARK: The output

    func connect(_ path: String?) async throws(Failure) {
        do throws(SoundServerError) {
            let context = try PulseContext(loop.interface)
            self.context = context
            // Called on the loop alone.
            context.onEnd = { [weak self] in self?.assumeIsolated { $0.lost() } }
            context.onSink = { [weak self] _ in self?.assumeIsolated { $0.wake() } }
            try await context.connect(path)
            try await context.followSinks()
        } catch {
            throw .noServer(error.message)
        }
    }

    func output(of address: String, within patience: Duration) async throws(Failure) -> PulseOutput {
        let limit = Task {
            try? await Task.sleep(for: patience)
            isLate = true
            wake()
        }
        defer { limit.cancel() }
        while let context {
            hasNews = false
            let outputs: [PulseOutput]
            do throws(SoundServerError) {
                outputs = try await context.ask { pa_context_get_sink_info_list($0, PulseRequest.takeOutput, $1) }
                    .outputs
            } catch {
                throw .noServer(error.message)
            }
            if let found = PulseOutput.best(of: outputs, for: address) { return found }
            guard !isLate, !Task.isCancelled else { throw .noOutput }
            guard !hasNews else { continue }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    waiter = continuation
                    if Task.isCancelled { wake() }
                }
            } onCancel: {
                Task { await self.wake() }
            }
        }
        throw .noServer(PulseContext.closed.message)
    }

    private func wake() {
        hasNews = true
        waiter?.resume()
        waiter = nil
    }

    // MARK: The stream

    /// - Parameter output: `nil` for the default output.
    func begin(_ output: PulseOutput?, _ title: String, _ latency: Double?) async throws(Failure) {
        guard let context, context.isOpen, !isOver else { throw .noServer(PulseContext.closed.message) }
        var format = pa_sample_spec(format: PA_SAMPLE_S16LE, rate: UInt32(Self.rate), channels: 2)
        let properties = pa_proplist_new()
        pa_proplist_sets(properties, "media.role", "music")
        pa_proplist_sets(properties, "media.name", title)
        let made = pa_stream_new_with_proplist(context.pointer, title, &format, nil, properties)
        pa_proplist_free(properties)
        guard let made else { throw .refused(context.reason) }
        stream = made
        listen(to: made)
        func bytes(_ seconds: Double) -> UInt32 { UInt32(seconds * Double(Self.rate)) * UInt32(Self.bytesPerFrame) }
        // An extension's number.
        let asked = latency.flatMap {
            $0.isFinite ? min(max($0, Self.latencies.lowerBound), Self.latencies.upperBound) : nil
        }
        let waiting = asked ?? (output == nil ? Self.defaultWaiting : Self.waiting)
        let beginning = asked.map { min($0 / 2, Self.beginning) } ?? Self.beginning
        var lengths = pa_buffer_attr(
            maxlength: .max, tlength: bytes(waiting), prebuf: bytes(beginning), minreq: .max, fragsize: .max)
        var flags = PA_STREAM_INTERPOLATE_TIMING.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
        // Some outputs would otherwise take more at once than waits for them, and run dry from the start.
        if output == nil || asked != nil { flags |= PA_STREAM_ADJUST_LATENCY.rawValue }
        if output != nil { flags |= PA_STREAM_DONT_MOVE.rawValue }
        if playing.isPaused { flags |= PA_STREAM_START_CORKED.rawValue }
        let status = pa_stream_connect_playback(
            made, output?.name, &lengths, pa_stream_flags_t(rawValue: flags), nil, nil)
        guard status >= 0 else { throw .refused(context.reason) }
        watch = loop.interface.pointee.io_new(
            loop.interface, source, PA_IO_EVENT_NULL,
            { _, _, _, _, this in PulsePlayer.enter(this) { $0.pump() } }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func listen(to stream: OpaquePointer) {
        let this = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(stream, { _, this in PulsePlayer.enter(this) { $0.stateChanged() } }, this)
        pa_stream_set_write_callback(stream, { _, _, this in PulsePlayer.enter(this) { $0.pump() } }, this)
        pa_stream_set_started_callback(
            stream,
            { _, this in
                PulsePlayer.enter(this) {
                    $0.playing.hasStarted = true
                    $0.playing.isDry = false
                    $0.tell()
                }
            }, this)
        pa_stream_set_underflow_callback(stream, { _, this in PulsePlayer.enter(this) { $0.ranDry() } }, this)
        pa_stream_set_suspended_callback(
            stream,
            { stream, this in
                let isSuspended = stream.map { pa_stream_is_suspended($0) == 1 } ?? false
                PulsePlayer.enter(this) {
                    $0.playing.isSuspended = isSuspended
                    $0.tell()
                }
            }, this)
        pa_stream_set_latency_update_callback(stream, { _, this in PulsePlayer.enter(this) { $0.tell() } }, this)
    }

    private func stateChanged() {
        guard let stream else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY: pump()
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: lost()
        default: break
        }
    }

    private func ranDry() {
        guard !isDraining else { return }
        playing.isDry = true
        tell()
    }

    /// Passes readable samples on as long as the server accepts them.
    private func pump() {
        guard let stream, !isOver, !isDraining, pa_stream_get_state(stream) == PA_STREAM_READY else { return }
        var block = [UInt8](repeating: 0, count: 16_384)
        while true {
            let room = pa_stream_writable_size(stream)
            // The server says when it wants more.
            guard room >= Self.bytesPerFrame else { return setWatching(false) }
            let kept = rest.count
            for (index, byte) in rest.enumerated() { block[index] = byte }
            let wanted = min(room, block.count) - kept
            let count = block.withUnsafeMutableBytes {
                Glibc.read(source, UnsafeMutableRawBufferPointer(rebasing: $0[kept...]).baseAddress, wanted)
            }
            if count == 0 { return drain() }
            guard count > 0 else {
                if errno == EINTR { continue }
                guard errno == EAGAIN else { return drain() }
                return setWatching(true)
            }
            let length = kept + count
            let whole = length / Self.bytesPerFrame * Self.bytesPerFrame
            rest = Array(block[whole..<length])
            if whole > 0 { pa_stream_write(stream, block, whole, nil, 0, PA_SEEK_RELATIVE) }
            // A writer that is slower than this is not asked again and again.
            if count < wanted { return setWatching(true) }
        }
    }

    private func setWatching(_ isWatching: Bool) {
        guard let watch else { return }
        loop.interface.pointee.io_enable(watch, isWatching ? PA_IO_EVENT_INPUT : PA_IO_EVENT_NULL)
    }

    /// Ends the input; buffered samples are played to their end.
    private func drain() {
        setWatching(false)
        isDraining = true
        let operation = pa_stream_drain(
            stream, { _, isDone, this in PulsePlayer.enter(this) { $0.finish(isDone == 1 ? .ended : .lost) } },
            Unmanaged.passUnretained(self).toOpaque())
        if let operation { pa_operation_unref(operation) }
    }

    private func lost() {
        finish(.lost)
        wake()
    }

    private func finish(_ event: Event?) {
        guard !isOver else { return }
        isOver = true
        if let event { eventsContinuation.yield(event) }
        eventsContinuation.finish()
        setWatching(false)
    }

    /// Reports the playback position unless it follows from the last report.
    private func tell() {
        guard let stream, !isOver else { return }
        var heard = pa_usec_t(0)
        let isKnown = pa_stream_get_time(stream, &heard) == 0
        guard isKnown || !playing.hasStarted else { return }
        let (seconds, time, isRunning) = (Double(heard) / 1_000_000, Int64(SamplePace.now), playing.isRunning)
        if let told, told.isRunning == isRunning {
            let expected = told.seconds + (isRunning ? Double(time - told.time) / 1_000_000_000 : 0)
            guard abs(expected - seconds) > Self.tolerance else { return }
        }
        told = (seconds, time, isRunning)
        eventsContinuation.yield(.heard(seconds: seconds, time: time, isRunning: isRunning))
    }

    private func release() {
        if let watch { loop.interface.pointee.io_free(watch) }
        if let stream {
            pa_stream_set_state_callback(stream, nil, nil)
            pa_stream_set_write_callback(stream, nil, nil)
            pa_stream_set_started_callback(stream, nil, nil)
            pa_stream_set_underflow_callback(stream, nil, nil)
            pa_stream_set_suspended_callback(stream, nil, nil)
            pa_stream_set_latency_update_callback(stream, nil, nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        if source >= 0 { Glibc.close(source) }
        source = -1
        (watch, stream) = (nil, nil)
        context?.disconnect()
        context = nil
        wake()
    }

    /// Enters the actor from a callback. The library calls only on the loop, and never after the stream is gone.
    private static func enter(_ this: UnsafeMutableRawPointer?, _ body: @Sendable (isolated PulsePlayer) -> Void) {
        guard let this else { return }
        Unmanaged<PulsePlayer>.fromOpaque(this).takeUnretainedValue().assumeIsolated(body)
    }
}

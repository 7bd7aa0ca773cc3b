import CPulseAudio
import Glibc
import SoundFeed

/// One PulseAudio sink that writes into a named pipe. The pipe is read at playback speed, so the sink plays no faster.
/// Used on the loop only.
final class PulseSink {
    /// `F_SETPIPE_SZ`, which Swift does not import.
    private static let setPipeSize: Int32 = 1031
    /// The interval for checking an empty pipe, in nanoseconds.
    private static let pause: UInt64 = 5_000_000
    private static let readSize = SoundFeed.batchLength * SoundFeed.bytesPerFrame

    let feed: SoundFeed
    /// The name shown to people.
    let name: String
    let path: String
    /// The index of the module once it is loaded.
    var module: UInt32?
    private let context: OpaquePointer
    private let interface: UnsafeMutablePointer<pa_mainloop_api>
    private let pipe: Int32
    /// `nil` once the sink has ended.
    private var timer: OpaquePointer?
    private var isTimed = false
    /// A Boolean value that indicates whether programs play to the sink.
    private var isRunning = false
    private var pace = SamplePace(rate: SoundFeed.rate, blockLength: SoundFeed.batchLength)

    /// Makes the pipe.
    ///
    /// - Parameter context: Outlives it.
    /// - Throws: ``SoundServerError`` if that is not possible.
    init(
        name: String, path: String, context: OpaquePointer, interface: UnsafeMutablePointer<pa_mainloop_api>,
        silence: Double, onEvent: @escaping @Sendable (SoundFeed.Event) -> Void
    ) throws(SoundServerError) {
        unlink(path)
        guard mkfifo(path, 0o600) == 0 else {
            throw SoundServerError("\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        // Also for writing, so that it has no end while PulseAudio has it closed.
        pipe = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard pipe >= 0 else {
            throw SoundServerError("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        // Samples waiting in the pipe add latency, and PulseAudio writes whenever there is room for a page.
        _ = fcntl(pipe, Self.setPipeSize, Int32(Self.readSize))
        self.name = name
        self.path = path
        self.context = context
        self.interface = interface
        // A read is a batch already. A batch of several would wait for the next read if one of them is short.
        feed = SoundFeed(patience: silence, batchLength: SoundFeed.blockLength, onEvent: onEvent)
        timer = pa_context_rttime_new(
            context, .max,
            { _, _, _, sink in
                guard let sink else { return }
                Unmanaged<PulseSink>.fromOpaque(sink).takeUnretainedValue().tick()
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// To be called before it is given up.
    func end() {
        guard let timer else { return }
        interface.pointee.time_free(timer)
        self.timer = nil
        feed.shut()
        close(pipe)
        unlink(path)
    }

    /// Records whether programs play to the sink.
    func setRunning(_ isRunning: Bool) {
        self.isRunning = isRunning
        if isRunning { wakeUp() }
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

    /// Starts reading the pipe, which continues as long as needed.
    private func wakeUp() {
        guard !isTimed else { return }
        isTimed = true
        pace.restart(at: SamplePace.now)
        wait(until: pace.next)
    }

    private func wait(until time: UInt64) {
        if let timer { pa_context_rttime_restart(context, timer, time / 1000 + 1) }
    }

    private func tick() {
        guard isRunning || feed.wantsSilence else {
            isTimed = false
            return
        }
        let now = SamplePace.now
        guard feed.takesBlock else {
            // A delay of a busy reader is caught up with; the time before there is a reader is not.
            if !feed.isOpen { pace.restart(at: now) }
            return wait(until: now + Self.pause)
        }
        guard now >= pace.next else { return wait(until: pace.next) }
        let frames = pass()
        guard frames > 0 else { return wait(until: now + Self.pause) }
        pace.passed(frames: frames, at: now)
        wait(until: pace.next)
    }

    /// - Returns: The number of frames passed on; 0 if programs play and none of their audio has arrived yet.
    private func pass() -> Int {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { [pipe] buffer, used in
            used = max(0, Glibc.read(pipe, buffer.baseAddress, buffer.count))
        }
        // PulseAudio writes whole frames.
        let frames = bytes.count / SoundFeed.bytesPerFrame
        if frames > 0 {
            bytes.withUnsafeBytes {
                feed.take(UnsafeRawBufferPointer(rebasing: $0[..<(frames * SoundFeed.bytesPerFrame)]))
            }
        } else if !isRunning {
            feed.takeSilence()
            return SoundFeed.blockLength
        }
        return frames
    }
}

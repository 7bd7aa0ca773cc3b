import Dispatch
import Foundation
import Glibc
import HostCore
import HostInterface
import MediaTypes
import Synchronization

/// Reads a stream for its HTTP readers on a separate thread, because reading blocks until data arrives.
///
/// It stores the last bytes, so that a device that examines the stream and then plays it gets all of it, and one that looks
/// into it once more while it plays loses nothing. The fastest reader decides how fast the stream is read.
actor StreamFeed {
    /// One answer's place in the stream.
    struct Reader {
        fileprivate var offset: Int
        /// The number of bytes of the header before a place in the middle.
        fileprivate var header = 0
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// The least number of bytes that are stored, if as many were read: three seconds of what sinks deliver.
    private static let keptLength = 1 << 19
    /// The number of bytes by which more are stored, so that they aren't moved with every chunk.
    private static let slack = 1 << 17
    private static let chunk = 1 << 16
    /// The time limit for a program to write its first bytes, in milliseconds.
    private static let patience: Int32 = 15_000
    /// How long it may take to follow what looks like text, in milliseconds.
    private static let headerPatience: Int32 = 1_000

    private let queue = StreamQueue()
    private let stream: OpenStream
    /// Brings samples without a header into their form; `nil` for a stream with one.
    private var framer: SampleFramer?
    /// Interrupts the thread that waits for the stream.
    private let wake: Wake
    /// A Boolean value that indicates whether a reader waits for the stream, and keeps the others waiting.
    private let isWaiting = Atomic(false)
    /// The number of readers whose turn it is.
    private let arriving = Atomic(0)
    /// The last bytes.
    private var kept: [UInt8] = []
    /// The number of bytes so far.
    private var length = 0
    private var isOver = false

    /// - Throws: ``HostError`` `internal-failure` if the system has no descriptors left.
    init(_ stream: OpenStream, as format: DeviceDescription.LiveFormat = .wave) throws(HostError) {
        self.stream = stream
        framer = stream.samples.map { SampleFramer($0, as: format) }
        wake = try Wake()
    }

    /// Waits for the first bytes.
    ///
    /// - Returns: The MIME type that they are of.
    /// - Throws: ``HostError`` `invalid-argument` for a stream without any, `unsupported-format` for one that is neither
    ///   audio, video nor a picture, `timed-out`, `cancelled`.
    func begin() throws(HostError) -> String {
        if let framer { keep(framer.header) }
        let header = length
        // A container tells what it is in its first bytes, which need not come at once.
        while length < (framer != nil ? header + 1 : 12), !isOver {
            if let bytes = try read(within: Self.patience) {
                keep(bytes)
            } else if length == header {
                throw HostError(.timedOut, "Nothing was written to the stream for \(Self.patience / 1000) s.")
            } else {
                break
            }
        }
        guard length > header else { throw HostError(.invalidArgument, "There is nothing in the stream.") }
        if stream.samples == nil, let kind = try otherKind() {
            throw HostError(.unsupportedFormat, "The stream is \(kind), not audio or video.")
        }
        return framer?.contentType ?? MediaType.ofBeginning(kept)
    }

    /// What the stream is instead of media, as of a file.
    private func otherKind() throws(HostError) -> String? {
        while case .other(let kind) = FileContent(kept, suffix: "") {
            // A header in plain text may be followed by what is no text.
            guard !isOver, length < FileContent.length, let bytes = try read(within: Self.headerPatience) else {
                return kind
            }
            keep(bytes)
        }
        return nil
    }

    /// For a new answer: the beginning if all that was read is still there.
    nonisolated func reader() async -> Reader {
        arrive()
        return await place()
    }

    private func place() -> Reader {
        arriving.subtract(1, ordering: .sequentiallyConsistent)
        return kept.count == length ? Reader(offset: 0) : Reader(offset: length, header: framer?.header.count ?? 0)
    }

    /// Returns the next bytes once there are any; `nil` at the end, and for a reader so far behind others that its next bytes
    /// aren't stored any more.
    ///
    /// - Throws: ``HostError`` `cancelled` after the stream was withdrawn.
    nonisolated func next(_ reader: inout Reader) async throws(HostError) -> [UInt8]? {
        arrive()
        return try await following(&reader)
    }

    private func following(_ reader: inout Reader) async throws(HostError) -> [UInt8]? {
        arriving.subtract(1, ordering: .sequentiallyConsistent)
        while reader.offset >= length - kept.count {
            if reader.header > 0 {
                reader.header = 0
                return framer?.header ?? []
            }
            if reader.offset < length {
                let begin = reader.offset - (length - kept.count)
                let end = min(kept.count, begin + Self.chunk)
                reader.offset += end - begin
                return Array(kept[begin..<end])
            }
            guard !isOver else { return nil }
            guard let bytes = try read(within: -1) else {
                // Somebody else's turn.
                await Task.yield()
                continue
            }
            keep(bytes)
        }
        return nil
    }

    /// Has a reader that waits for the stream let another one go first.
    private nonisolated func arrive() {
        arriving.add(1, ordering: .sequentiallyConsistent)
        if isWaiting.load(ordering: .sequentiallyConsistent) { wake.signal() }
    }

    /// Ends reading permanently. You can call this method from any thread.
    nonisolated func end() { wake.end() }

    private func keep(_ bytes: [UInt8]) {
        kept += bytes
        length += bytes.count
        if kept.count > Self.keptLength + Self.slack { kept.removeFirst(kept.count - Self.keptLength) }
    }

    /// - Parameter limit: Milliseconds; negative for ever.
    /// - Returns: Nothing at the end of the stream, `nil` after the limit or when it is another reader's turn.
    private func read(within limit: Int32) throws(HostError) -> [UInt8]? {
        var events = [
            pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            isWaiting.store(true, ordering: .sequentiallyConsistent)
            defer { isWaiting.store(false, ordering: .sequentiallyConsistent) }
            guard arriving.load(ordering: .sequentiallyConsistent) == 0 else { return nil }
            let count = poll(&events, 2, limit)
            if count < 0, errno == EINTR { continue }
            guard count >= 0, !wake.isEnded else { throw HostError(.cancelled, "The stream was ended.") }
            if events[1].revents != 0 { wake.clear() }
            guard events[0].revents != 0 else { return nil }
            var result = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, used in
                result = Glibc.read(stream.descriptor, buffer.baseAddress, buffer.count)
                used = max(0, result)
            }
            if result < 0, errno == EINTR || errno == EAGAIN { continue }
            isOver = result <= 0
            return isOver ? [] : framer?.take(bytes) ?? bytes
        }
    }
}

/// A descriptor that becomes readable when something else has to be looked at.
private final class Wake: Sendable {
    let descriptor: Int32
    private let writing: Int32
    private let ended = Atomic(false)

    init() throws(HostError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw HostError(.internalFailure, "No pipe can be made: \(String(cString: strerror(errno))).")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    var isEnded: Bool { ended.load(ordering: .acquiring) }

    func signal() { _ = write(writing, [1], 1) }

    func end() {
        ended.store(true, ordering: .releasing)
        signal()
    }

    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = Glibc.read(descriptor, &bytes, bytes.count)
    }
}

/// A thread's worth of order for reads that wait.
private final class StreamQueue: SerialExecutor, Sendable {
    private let queue = DispatchQueue(label: "org.mdhost.stream")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

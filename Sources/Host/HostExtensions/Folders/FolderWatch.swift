import Foundation
import Synchronization

/// Detects changes in folders with inotify(7), and owns its descriptor.
///
/// It doesn't report each event. ``waitForEvents(until:)`` returns at the first, and ``takeEvents()`` returns whether
/// any is relevant. Until then, events stay in the kernel's queue, which is bounded and reports an overflow.
actor FolderWatch {
    /// The events for folders of which only names matter. Writing files there doesn't wake the process.
    private static let nameEvents =
        IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    private static let fileEvents = nameEvents | IN_CLOSE_WRITE | IN_ATTRIB

    private let descriptor: Int32
    private var watches: [Int32: (path: String, interest: WatchPlan.Interest)] = [:]

    /// - Throws: ``SpawnedChild/Failure`` if the system has no more inotify instances.
    init() throws(SpawnedChild.Failure) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw SpawnedChild.Failure(code: errno) }
    }

    deinit { close(descriptor) }

    /// Watches exactly the folders of the plan. Watches that remain miss no events.
    ///
    /// - Returns: Whether there is a newly watched folder, which may already have changed, and the folders that can't
    ///   be watched, with the system's reason.
    func follow(_ plan: WatchPlan) -> (isNew: Bool, failures: [String: String]) {
        var kept: [Int32: (path: String, interest: WatchPlan.Interest)] = [:]
        var failures: [String: String] = [:]
        for (path, interest) in plan.interests {
            // For a folder that is watched already this gives the same number.
            let watch = inotify_add_watch(
                descriptor, path, UInt32(bitPattern: interest.hasFiles ? Self.fileEvents : Self.nameEvents))
            if watch >= 0 {
                kept[watch] = (path, interest)
            } else if errno != ENOENT, errno != ENOTDIR {
                failures[path] = String(cString: strerror(errno))
            }
        }
        for watch in watches.keys where kept[watch] == nil { inotify_rm_watch(descriptor, watch) }
        let isNew = kept.contains { watches[$0.key]?.path != $0.value.path }
        watches = kept
        return (isNew, failures)
    }

    /// Returns when there are events, relevant or not, at `limit`, or when the task is canceled.
    ///
    /// - Returns: `false` if it can't wait because there are no descriptors.
    func waitForEvents(until limit: ContinuousClock.Instant?) async -> Bool {
        let wait = ReadableWait(descriptor)
        let timer = limit.map { limit in
            Task {
                try await Task.sleep(until: limit, clock: .continuous)
                wait.end()
            }
        }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in wait.begin { continuation.resume(returning: $0) } }
        } onCancel: {
            wait.end()
        }
    }

    /// Reads all available events.
    ///
    /// - Returns: Whether one of them is relevant.
    func takeEvents() -> Bool {
        var isRelevant = false
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // Bounded: whoever changes things faster than they are read must not hold this up.
        for _ in 0..<64 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            isRelevant =
                buffer.withUnsafeBytes { matters(UnsafeRawBufferPointer(rebasing: $0[..<count])) } || isRelevant
        }
        return isRelevant
    }

    private func matters(_ events: UnsafeRawBufferPointer) -> Bool {
        let header = MemoryLayout<inotify_event>.size
        var offset = 0
        var isRelevant = false
        while offset + header <= events.count {
            let watch = events.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let mask = events.loadUnaligned(fromByteOffset: offset + 4, as: Int32.self)
            let length = Int(events.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let name = events[(offset + header)...].prefix(length).prefix { $0 != 0 }
            offset += header + length
            if mask & IN_Q_OVERFLOW != 0 { return true }
            // News of a watch that was given up.
            guard let interest = watches[watch]?.interest else { continue }
            if mask & IN_IGNORED != 0 { watches[watch] = nil }
            let isGone = mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0
            isRelevant = isRelevant || isGone || interest.includes(String(decoding: name, as: UTF8.self))
        }
        return isRelevant
    }
}

/// One wait for a descriptor to become readable.
private final class ReadableWait: Sendable {
    private let descriptor: Int32
    private let state = Mutex<(watch: DescriptorWatch?, isOver: Bool)>((nil, false))

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// - Parameter done: Called once: with whether it could be waited.
    func begin(_ done: @escaping @Sendable (Bool) -> Void) {
        // The watch owns what it is given.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return done(false) }
        do throws(SpawnedChild.Failure) {
            let watch = try DescriptorWatch(
                copy, label: "mdhost.extension.folders", isOnce: true, onReadable: {},
                onCancel: {
                    close(copy)
                    done(true)
                })
            let isOver = state.withLock { state in
                state.watch = watch
                return state.isOver
            }
            if isOver { watch.cancel() }
        } catch {
            close(copy)
            done(false)
        }
    }

    func end() {
        let watch = state.withLock { state in
            state.isOver = true
            return state.watch
        }
        watch?.cancel()
    }
}

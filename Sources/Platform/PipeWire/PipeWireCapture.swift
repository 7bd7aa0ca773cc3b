import CPipeWire
package import Dispatch
import Glibc
package import SoundFeed
import Synchronization

/// The pictures of a node in PipeWire's graph, such as a screen that the desktop's portal shares. Only the newest one is
/// kept.
///
/// Source: PipeWire 0.3.65, `pipewire/stream.h`; xdg-desktop-portal's `org.freedesktop.portal.ScreenCast`.
package final class PipeWireCapture: @unchecked Sendable {
    /// One picture, packed with four bytes a pixel. One thread at a time has it.
    package final class Picture: @unchecked Sendable {
        /// The rows. The memory lasts as long as this object, and until it is filled again.
        package private(set) var pixels = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        /// The number of bytes from one row to the next.
        package fileprivate(set) var stride = 0
        package fileprivate(set) var width = 0
        package fileprivate(set) var height = 0
        package fileprivate(set) var isRedFirst = false

        package init() {}

        deinit { pixels.deallocate() }

        fileprivate func fill(_ source: UnsafeRawBufferPointer) {
            if pixels.count != source.count {
                pixels.deallocate()
                pixels = .allocate(byteCount: source.count, alignment: 16)
            }
            pixels.copyMemory(from: source)
        }
    }

    private static let patience: Int32 = 5

    private let slot: PictureSlot
    private let connection: OpaquePointer
    private var handle: OpaquePointer?

    /// - Parameters:
    ///   - descriptor: A socket to PipeWire. Taken over, also when this throws.
    ///   - node: The node's number in the graph.
    ///   - rate: The wanted pictures a second.
    /// - Throws: ``SoundServerError`` if PipeWire doesn't answer, or its library is missing.
    package init(descriptor: Int32, node: UInt32, rate: Int) throws(SoundServerError) {
        if let reason = mdhost_pw_load() {
            close(descriptor)
            throw SoundServerError(library: "libpipewire-0.3-0", of: "PipeWire", reason: String(cString: reason))
        }
        let slot = PictureSlot()
        self.slot = slot
        // Both callbacks end before the connection is closed.
        let context = Unmanaged.passUnretained(slot).toOpaque()
        let opened = mdhost_pw_open_descriptor(
            descriptor, Self.patience, { Unmanaged<PictureSlot>.fromOpaque($0).takeUnretainedValue().end() }, context)
        guard let opened else { throw SoundServerError("PipeWire does not answer: \(PipeWireConnection.text(errno))") }
        connection = opened
        var events = mdhost_pw_capture_events(
            picture: { data, pixels, stride, width, height, isRedFirst in
                Unmanaged<PictureSlot>.fromOpaque(data).takeUnretainedValue().put(
                    UnsafeRawBufferPointer(start: pixels, count: Int(stride) * (Int(height) - 1) + Int(width) * 4),
                    stride: Int(stride), width: Int(width), height: Int(height), isRedFirst: isRedFirst)
            },
            ended: { Unmanaged<PictureSlot>.fromOpaque($0).takeUnretainedValue().end() })
        mdhost_pw_lock(connection)
        handle = mdhost_pw_capture_new(connection, node, UInt32(clamping: rate), &events, context)
        mdhost_pw_unlock(connection)
        guard handle != nil else {
            throw SoundServerError("PipeWire doesn't give its pictures: \(PipeWireConnection.text(errno))")
        }
    }

    deinit {
        mdhost_pw_lock(connection)
        if let handle { mdhost_pw_capture_destroy(handle) }
        mdhost_pw_unlock(connection)
        mdhost_pw_close(connection)
    }

    /// A Boolean value that indicates whether the node, or PipeWire, is gone.
    package var isEnded: Bool { slot.isEnded }

    /// Waits for a picture that wasn't taken yet, and swaps it with an earlier one, whose memory is used again.
    ///
    /// - Returns: `false` if none comes before the deadline, or the node is gone.
    package func take(_ picture: inout Picture, before deadline: DispatchTime) -> Bool {
        slot.take(&picture, before: deadline)
    }
}

/// The place of the newest picture.
private final class PictureSlot: Sendable {
    private struct State {
        var newest = PipeWireCapture.Picture()
        var isFresh = false
        var isEnded = false
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    var isEnded: Bool { state.withLock { $0.isEnded } }

    func put(_ pixels: UnsafeRawBufferPointer, stride: Int, width: Int, height: Int, isRedFirst: Bool) {
        let wasFresh = state.withLock { state in
            state.newest.fill(pixels)
            (state.newest.stride, state.newest.isRedFirst) = (stride, isRedFirst)
            (state.newest.width, state.newest.height) = (width, height)
            defer { state.isFresh = true }
            return state.isFresh
        }
        if !wasFresh { arrival.signal() }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        arrival.signal()
    }

    func take(_ picture: inout PipeWireCapture.Picture, before deadline: DispatchTime) -> Bool {
        guard arrival.wait(timeout: deadline) == .success else { return false }
        return state.withLock { state in
            guard state.isFresh else { return false }
            swap(&state.newest, &picture)
            state.isFresh = false
            return true
        }
    }
}

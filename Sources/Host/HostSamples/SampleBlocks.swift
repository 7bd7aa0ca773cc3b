import Glibc
import HostInterface

/// Reads whole frames from a stream into packets.
struct SampleBlocks: ~Copyable {
    /// The most bytes read at a time: a tenth of a second of what sinks deliver.
    private static let length = 1 << 14

    private let descriptor: Int32
    private let bytesPerFrame: Int
    /// The bytes of a frame whose rest hasn't arrived.
    private var rest: [UInt8] = []
    private var frames: [UInt8] = []

    init(_ descriptor: Int32, _ format: SampleFormat) {
        self.descriptor = descriptor
        bytesPerFrame = format.bytesPerFrame
    }

    enum Outcome: Sendable, Hashable {
        /// The number of frames; 0 if there is only a part of one.
        case frames(Int)
        case end
    }

    /// Reads what is there, and waits if there is nothing.
    mutating func read() -> Outcome {
        let earlier = rest
        var count = 0
        repeat {
            frames = [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, used in
                _ = buffer.update(fromContentsOf: earlier)
                let free = UnsafeMutableBufferPointer(rebasing: buffer[earlier.count...])
                count = Glibc.read(descriptor, free.baseAddress, free.count)
                used = earlier.count + max(0, count)
            }
        } while count < 0 && errno == EINTR
        // Another reader was faster.
        if count < 0, errno == EAGAIN {
            frames = []
            return .frames(0)
        }
        guard count > 0 else { return .end }
        let whole = frames.count / bytesPerFrame
        rest = Array(frames[(whole * bytesPerFrame)...])
        frames.removeLast(rest.count)
        return .frames(whole)
    }

    /// Discards what was written so far, at most six seconds of what sinks deliver.
    ///
    /// A writer that was waiting goes on meanwhile, so that there may be more than a pipe holds.
    mutating func discardWaiting() {
        var left = 1 << 20
        var waiting: Int32 = 0
        while left > 0, ioctl(descriptor, UInt(FIONREAD), &waiting) == 0, waiting > 0 {
            guard case .frames = read() else { return }
            left -= frames.count
        }
        frames = []
    }

    /// Returns the packet of the frames that were read last.
    func packet(_ header: SamplePacket) -> [UInt8] {
        header.packet(of: frames)
    }
}

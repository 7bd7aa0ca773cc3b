import Glibc
import HostInterface
import PacketSockets
import ScreenEncoding

/// Sends packets of sound. Those that nobody takes are lost, and counted. For one thread.
final class SoundOutput: SoundTarget {
    private static let bytesPerFrame = 4
    private static let longest = (SamplePacket.maximumLength - SamplePacket.headerLength) / bytesPerFrame
    /// A difference between the samples' time and their count above which the time counts, in frames.
    private static let tolerance: Int64 = 3_000

    private let socket: Int32
    /// The number of frames before the next one, and the time of the first, in microseconds.
    private var position: Int64 = 0
    private var begin: Int64?

    /// - Parameter socket: Stays the caller's.
    init(socket: Int32) {
        self.socket = socket
        // A quarter of a second.
        var room = Int32(SoundEncoder.rate * Self.bytesPerFrame / 4)
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Ends the sound of a capture that has none.
    static func end(_ socket: Int32) { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Sends samples. Small differences in time are those of clocks; after a gap, the count jumps.
    func take(_ samples: [Int16], at time: Int64) {
        let begin = begin ?? time
        self.begin = begin
        var (samples, time) = (samples[...], time)
        let wanted = (time - begin) * Int64(SoundEncoder.rate) / 1_000_000
        if wanted - position > Self.tolerance {
            position = wanted
        } else if position - wanted > Self.tolerance {
            let excess = min(position - wanted, Int64(samples.count / 2))
            samples = samples.dropFirst(Int(excess) * 2)
            time += excess * 1_000_000 / Int64(SoundEncoder.rate)
        }
        while !samples.isEmpty {
            let part = samples.prefix(Self.longest * 2)
            samples = samples.dropFirst(part.count)
            send(part, at: time)
            position += Int64(part.count / 2)
            time += Int64(part.count / 2) * 1_000_000 / Int64(SoundEncoder.rate)
        }
    }

    private func send(_ samples: ArraySlice<Int16>, at time: Int64) {
        let header = SamplePacket(frame: UInt64(position), time: HostTime.nanoseconds(at: time))
        PacketSocket.send(header.packet(of: samples), on: socket, waits: false)
    }
}

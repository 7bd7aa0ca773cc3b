import Foundation
package import HostInterface

/// The socket on which the host delivers the live video of a session.
package final class VideoSocket: Sendable {
    /// The byte that asks for a key frame.
    private static let keyRequest = UInt8(ascii: "k")

    package let video: DeliveredVideo
    private let packets: PacketReading

    package init(_ video: DeliveredVideo) {
        self.video = video
        packets = PacketReading(video.socket, maximumLength: VideoPacket.maximumLength, label: "org.mdhost.video")
    }

    /// Takes the right to read, which only one reader has.
    ///
    /// - Returns: `false` if another one has it.
    func take() -> Bool { packets.take() }

    func requestKeyFrame() { packets.send(Self.keyRequest) }

    /// Waits for the next packet. One caller at a time.
    ///
    /// - Returns: The header and the part of an access unit; `nil` after the last packet, after one without a header, and
    ///   after the task was cancelled.
    func next() async -> (header: VideoPacket, part: Data)? {
        guard let packet = await packets.next() else { return nil }
        guard let header = packet.withUnsafeBytes({ VideoPacket($0) }) else {
            packets.end()
            return nil
        }
        return (header, packet.dropFirst(VideoPacket.headerLength))
    }
}

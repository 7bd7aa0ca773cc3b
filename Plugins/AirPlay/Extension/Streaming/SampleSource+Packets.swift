import AirPlayProtocol
import LiveSound
import MediaDecoding

extension SampleSource {
    struct Packets: Sendable {
        let packets: [[UInt8]]
        let isLast: Bool
    }

    /// Returns the next packets. The last one is padded with silence.
    func packets(_ count: Int) throws(DecodingError) -> Packets {
        let batch = try frames(count * LosslessFrame.frameCount)
        let starts = stride(from: 0, to: batch.samples.count, by: LosslessFrame.frameCount * 2)
        return Packets(packets: starts.map { LosslessFrame.encode(batch.samples[$0...]) }, isLast: batch.isLast)
    }
}

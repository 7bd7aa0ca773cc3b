import AirPlayProtocol
import LiveSound
import MediaReading

struct SamplePackets: Sendable {
    let packets: [[UInt8]]
    let isLast: Bool
}

extension SampleSource {
    /// Returns the next packets. The last one is padded with silence.
    func packets(_ count: Int) async throws(DecodingError) -> SamplePackets {
        let batch = try await frames(count * LosslessFrame.frameCount)
        let starts = stride(from: 0, to: batch.samples.count, by: LosslessFrame.frameCount * 2)
        return SamplePackets(packets: starts.map { LosslessFrame.encode(batch.samples[$0...]) }, isLast: batch.isLast)
    }
}

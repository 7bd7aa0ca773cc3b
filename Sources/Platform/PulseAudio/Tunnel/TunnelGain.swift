import SoundFeed

/// The level that is applied to the samples of a sink whose device has none of its own, which a tunnel leaves to its server.
struct TunnelGain {
    private let factor: Double

    /// - Parameters:
    ///   - sink: The sink.
    ///   - level: The level that people see, `0.0...1.0`; PulseAudio's levels are cubic.
    ///   - isMuted: A Boolean value that indicates whether people see it muted.
    init(of sink: ServedSink, level: Double, isMuted: Bool) {
        factor = isMuted && !sink.canMute ? 0 : sink.hasLevel ? 1 : level * level * level
    }

    /// Applies the level to signed samples of 16 bits, little end first.
    func apply(to samples: inout ArraySlice<UInt8>) {
        guard factor != 1 else { return }
        samples.withUnsafeMutableBytes { bytes in
            for index in stride(from: 0, to: bytes.count - 1, by: 2) {
                let sample = Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: Int16.self))
                let scaled = Int16((Double(sample) * factor).rounded())
                bytes.storeBytes(of: scaled.littleEndian, toByteOffset: index, as: Int16.self)
            }
        }
    }
}

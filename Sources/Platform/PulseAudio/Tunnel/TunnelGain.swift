import Glibc
import SoundFeed

/// The level that is applied to the samples of a sink whose device has none of its own, which a tunnel leaves to its server.
struct TunnelGain {
    /// `0.0...1.0` on the scale shown to people.
    var level = 1.0
    var isMuted = false
    private var hasDeviceLevel: Bool
    private var hasDeviceMute: Bool

    init(of sink: ServedSink) {
        hasDeviceLevel = sink.hasLevel
        hasDeviceMute = sink.canMute
    }

    /// Takes what the device can do, which may change.
    mutating func wants(_ sink: ServedSink) {
        hasDeviceLevel = sink.hasLevel
        hasDeviceMute = sink.canMute
    }

    /// The factor of the samples; PulseAudio's levels are cubic.
    private var factor: Double {
        if isMuted, !hasDeviceMute { return 0 }
        return hasDeviceLevel ? 1 : level * level * level
    }

    /// Applies the level to signed samples of 16 bits, little end first.
    func apply(to samples: inout ArraySlice<UInt8>) {
        let factor = factor
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

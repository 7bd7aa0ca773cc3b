public import Foundation

/// Converts live sound to 16-bit stereo at another rate.
public struct StereoConverter: Sendable {
    private let mix: StereoMix
    private var resampler: Resampler?

    /// - Parameters:
    ///   - channels: The channels of the source; see ``StereoMix``.
    ///   - source: Samples per second of the source.
    ///   - target: Samples per second of the result.
    /// - Throws: ``ConversionError``
    public init(channels: Int, from source: Int, to target: Int) throws(ConversionError) {
        mix = StereoMix(channels: channels)
        resampler = source == target ? nil : try Resampler(from: source, to: target)
    }

    /// Converts whole frames of signed 16-bit samples, little-endian.
    ///
    /// - Returns: The samples that are complete, left and right in turn.
    public mutating func convert(_ frames: Data) -> [Int16] {
        let samples = frames.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
        }
        let stereo = mix.mix(samples)
        return resampler?.convert(stereo) ?? stereo
    }

    /// Returns the samples after the last frames.
    public mutating func finish() -> [Int16] { resampler?.finish() ?? [] }
}

/// The reason why sound can't be converted.
public enum ConversionError: Error, Sendable, Hashable {
    /// The rate has too little in common with the one to return.
    case rate(Int)
}

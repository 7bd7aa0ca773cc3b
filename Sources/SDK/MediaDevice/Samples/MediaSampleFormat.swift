package import HostInterface

/// The format of live samples: interleaved frames, little-endian. Available on Linux only.
public struct MediaSampleFormat: Sendable, Hashable {
    /// The form of one sample.
    public enum Encoding: Sendable, Hashable, CaseIterable {
        /// Unsigned, 8 bits; silence is 128.
        case unsigned8
        /// Signed, 16 bits.
        case signed16
        /// Signed, 24 bits in 3 bytes.
        case signed24
        /// Signed, 32 bits.
        case signed32
        /// Floating point, 32 bits, `-1.0...1.0`.
        case float32

        /// The size of one sample in bytes.
        public var byteCount: Int { onLink.bytes }
    }

    /// The form of one sample.
    public let encoding: Encoding
    /// Frames per second, `1000...768_000`.
    public let sampleRate: Int
    /// Samples per frame, `1...8`.
    public let channelCount: Int

    /// The size of one frame in bytes.
    public var bytesPerFrame: Int { encoding.byteCount * channelCount }

    /// Creates a format.
    public init(encoding: Encoding, sampleRate: Int, channelCount: Int) {
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    package init(_ format: SampleFormat) {
        self.init(
            encoding: Encoding(format.encoding), sampleRate: format.rate, channelCount: format.channels)
    }

    /// The format as it crosses the link.
    ///
    /// - Throws: ``HostError`` `invalid-argument` if a number is out of range.
    package var onLink: SampleFormat {
        get throws(HostError) {
            try SampleFormat(encoding: encoding.onLink.rawValue, rate: sampleRate, channels: channelCount)
        }
    }
}

extension MediaSampleFormat.Encoding {
    fileprivate init(_ encoding: SampleFormat.Encoding) {
        self =
            switch encoding {
            case .unsigned8: .unsigned8
            case .signed16: .signed16
            case .signed24: .signed24
            case .signed32: .signed32
            case .float32: .float32
            }
    }

    fileprivate var onLink: SampleFormat.Encoding {
        switch self {
        case .unsigned8: .unsigned8
        case .signed16: .signed16
        case .signed24: .signed24
        case .signed32: .signed32
        case .float32: .float32
        }
    }
}

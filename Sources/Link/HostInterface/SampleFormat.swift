/// The format of samples without a header: interleaved and little-endian.
package struct SampleFormat: Sendable, Hashable {
    package enum Encoding: String, Sendable, Hashable, CaseIterable {
        case unsigned8 = "u8"
        case signed16 = "s16le"
        case signed24 = "s24le"
        case signed32 = "s32le"
        case float32 = "f32le"

        /// The size of one sample in bytes.
        package var bytes: Int {
            switch self {
            case .unsigned8: 1
            case .signed16: 2
            case .signed24: 3
            case .signed32, .float32: 4
            }
        }
    }

    package let encoding: Encoding
    /// The sample rate in frames per second.
    package let rate: Int
    package let channels: Int

    /// The size of one frame in bytes.
    package var bytesPerFrame: Int { encoding.bytes * channels }

    /// Creates a format.
    ///
    /// - Throws: ``HostError`` `invalid-argument` for an unknown encoding, a rate outside `1000...768_000` or channels
    ///   outside `1...8`.
    package init(encoding: String, rate: Int = 44_100, channels: Int = 2) throws(HostError) {
        guard let encoding = Encoding(rawValue: encoding.lowercased()) else {
            let known = Encoding.allCases.map(\.rawValue).joined(separator: ", ")
            throw HostError(.invalidArgument, "“\(encoding)” is none of \(known).")
        }
        guard (1000...768_000).contains(rate) else {
            throw HostError(.invalidArgument, "A rate of \(rate) samples a second is not possible.")
        }
        guard (1...8).contains(channels) else {
            throw HostError(.invalidArgument, "\(channels) channels are not possible; 1 to 8 are.")
        }
        self.encoding = encoding
        self.rate = rate
        self.channels = channels
    }
}

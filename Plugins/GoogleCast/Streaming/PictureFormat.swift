import JSONValues

/// The pictures of an offer.
public struct PictureFormat: Sendable, Hashable {
    public enum Codec: String, Sendable {
        case h264, vp8
    }

    public var codec = Codec.h264
    /// In pixels.
    public var width: Int
    public var height: Int
    /// Pictures a second at most.
    public var rate: Int

    public init(codec: Codec = .h264, width: Int, height: Int, rate: Int) {
        self.codec = codec
        self.width = width
        self.height = height
        self.rate = rate
    }

    /// The highest bit rate, in bits a second.
    var bitRate: Int { max(2_000_000, min(20_000_000, width * height * rate / 5)) }

    /// The level of H.264 that holds such pictures, times ten.
    ///
    /// Source: ITU-T H.264, table A-1.
    var level: Int {
        let blocks = ((width + 15) / 16) * ((height + 15) / 16)
        let limits = [(31, 3_600, 108_000), (32, 5_120, 216_000), (40, 8_192, 245_760), (42, 8_704, 522_240)]
        return limits.first { blocks <= $0.1 && blocks * rate <= $0.2 }?.0 ?? 51
    }

    /// The fields of the stream in the message.
    var fields: [String: JSON] {
        var fields: [String: JSON] = [
            "type": "video_source", "codecName": .string(codec.rawValue),
            "timeBase": .string("1/\(StreamFormat.pictures.rate)"), "maxFrameRate": .string("\(rate)"),
            "maxBitRate": .number(Double(bitRate)), "errorRecoveryMode": "castv2",
            "resolutions": [["width": .number(Double(width)), "height": .number(Double(height))]],
        ]
        if codec == .h264 {
            fields["profile"] = "main"
            fields["level"] = .string("\(level / 10)" + (level % 10 == 0 ? "" : ".\(level % 10)"))
            fields["codecParameter"] = .string("avc1.4D00" + String(level, radix: 16, uppercase: true))
        }
        return fields
    }
}

/// The numbers of one kind of stream.
public struct StreamFormat: Sendable, Hashable {
    /// Units of the timestamps per second.
    public let rate: Int
    /// The payload type. Some televisions with Android take only these: 127 for sound, and 96 for pictures.
    public let payloadType: UInt8
    /// A Boolean value that indicates whether each frame can be decoded without earlier ones.
    public let hasOnlyKeyFrames: Bool

    /// Opus (``AudioFormat``).
    public static let sound = StreamFormat(
        rate: AudioFormat.rate, payloadType: AudioFormat.payloadType, hasOnlyKeyFrames: true)
    /// H.264, or VP8.
    public static let pictures = StreamFormat(rate: 90_000, payloadType: 96, hasOnlyKeyFrames: false)
}

import COpus

/// Decodes Opus to 48 kHz stereo. Only one thread may use it at a time.
public final class OpusDecoder {
    /// The frames of the longest packet, 120 ms.
    private static let longest = 5760

    private let decoder: OpaquePointer

    /// - Throws: ``OpusError`` if libopus can't be loaded.
    public init() throws(OpusError) {
        if let reason = mdhost_opus_load() { throw OpusError(String(cString: reason)) }
        var error: Int32 = 0
        let created = opus_decoder_create(Int32(OpusEncoder.rate), 2, &error)
        guard let created, error == OPUS_OK else { throw OpusError(code: error) }
        decoder = created
    }

    deinit { opus_decoder_destroy(decoder) }

    /// Decodes a packet.
    ///
    /// - Returns: The samples, left and right in turn.
    public func decode(_ packet: [UInt8]) throws(OpusError) -> [Int16] {
        try samples(atMost: Self.longest) { opus_decode(decoder, packet, Int32(packet.count), $0, $1, 0) }
    }

    /// Returns sound in place of a lost packet.
    ///
    /// - Parameter frames: The length of the lost packet.
    public func conceal(frames: Int) throws(OpusError) -> [Int16] {
        try samples(atMost: frames) { opus_decode(decoder, nil, 0, $0, $1, 0) }
    }

    private func samples(
        atMost frames: Int, _ decode: (UnsafeMutablePointer<Int16>, Int32) -> Int32
    ) throws(OpusError) -> [Int16] {
        var result: Int32 = 0
        let samples = [Int16](unsafeUninitializedCapacity: frames * 2) { buffer, used in
            guard let start = buffer.baseAddress else { return }
            result = decode(start, Int32(frames))
            used = Int(max(0, result)) * 2
        }
        guard result >= 0 else { throw OpusError(code: result) }
        return samples
    }
}

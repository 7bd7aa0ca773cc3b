import COpus

/// Encodes 48 kHz stereo to Opus. Only one thread may use it at a time.
public final class OpusEncoder {
    /// Frames per second, of input.
    public static let rate = 48_000
    /// The longest packet that one frame of audio becomes, in bytes.
    private static let longest = 1500

    private let encoder: OpaquePointer

    /// - Parameters:
    ///   - bitrate: Bits per second.
    ///   - complexity: `0...10`; higher is better and slower.
    /// - Throws: ``OpusError`` if libopus can't be loaded.
    public init(bitrate: Int = 128_000, complexity: Int = 9) throws(OpusError) {
        if let reason = mdhost_opus_load() { throw OpusError(String(cString: reason)) }
        var error: Int32 = 0
        let created = opus_encoder_create(Int32(Self.rate), 2, OPUS_APPLICATION_AUDIO, &error)
        guard let created, error == OPUS_OK else { throw OpusError(code: error) }
        encoder = created
        _ = mdhost_opus_set_bitrate(encoder, Int32(bitrate))
        _ = mdhost_opus_set_complexity(encoder, Int32(complexity))
    }

    deinit { opus_encoder_destroy(encoder) }

    /// Encodes the audio of one packet.
    ///
    /// - Parameter samples: Left and right in turn, 2.5, 5, 10, 20, 40 or 60 ms.
    public func encode(_ samples: [Int16]) throws(OpusError) -> [UInt8] {
        var result: Int32 = 0
        let packet = [UInt8](unsafeUninitializedCapacity: Self.longest) { buffer, used in
            guard let start = buffer.baseAddress else { return }
            result = opus_encode(encoder, samples, Int32(samples.count / 2), start, Int32(buffer.count))
            used = Int(max(0, result))
        }
        guard result > 0 else { throw OpusError(code: result) }
        return packet
    }
}

extension OpusError {
    init(code: Int32) { self.init(String(cString: opus_strerror(code))) }
}

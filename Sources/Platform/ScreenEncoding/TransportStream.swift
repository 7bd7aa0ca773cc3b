import CScreenEncoding
import Synchronization

/// Writes encoded pictures and sound as an MPEG transport stream, each packet as it comes.
///
/// Sound and pictures may come from two threads.
package final class TransportStream: @unchecked Sendable {
    package enum Part: Int32, Sendable { case picture, sound }

    private static let packetLength = 188
    private static let bufferSize = Int32(packetLength * 64)
    /// A packet without content: ISO/IEC 13818-1, 2.4.3.3, PID 8191.
    private static let nullPacket: [UInt8] =
        [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: packetLength - 4)

    // With the lock.
    private let lock = Mutex(())
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let output: StreamOutput
    private var timeBases: [AVRational] = []
    /// The bytes that may follow until the wanted rate is reached.
    private var allowance = 0
    private var paddedUntil: Int64 = 0

    /// - Parameter sound: `nil` for a stream without sound.
    package init(to output: StreamOutput, picture: PictureEncoder, sound: SoundEncoder?) throws(ScreenEncodingError) {
        var created: UnsafeMutablePointer<AVFormatContext>?
        try ScreenEncodingError.check(avformat_alloc_output_context2(&created, nil, "mpegts", nil))
        context = try ScreenEncodingError.unwrap(created)
        self.output = output
        let memory = av_malloc(Int(Self.bufferSize))?.assumingMemoryBound(to: UInt8.self)
        // The output outlives the context.
        context.pointee.pb = avio_alloc_context(
            memory, Self.bufferSize, 1, Unmanaged.passUnretained(output).toOpaque(), nil,
            { opaque, bytes, count in
                guard let opaque, let bytes else { return count }
                Unmanaged<StreamOutput>.fromOpaque(opaque).takeUnretainedValue()
                    .write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                return count
            }, nil)
        context.pointee.flags |= mdhost_screen_flush | mdhost_screen_custom_output
        // No time between a packet's arrival and its display.
        context.pointee.max_delay = 0
        // The first packet of sound begins before the first sample, and its time must not be negative.
        context.pointee.output_ts_offset = 100_000
        for encoder in [picture.context] + (sound.map { [$0.context] } ?? []) {
            let stream = try ScreenEncodingError.unwrap(avformat_new_stream(context, nil))
            try ScreenEncodingError.check(avcodec_parameters_from_context(stream.pointee.codecpar, encoder))
            stream.pointee.time_base = AVRational(num: 1, den: 90_000)
            timeBases.append(encoder.pointee.time_base)
        }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // A device that joins later needs the tables at once.
        av_dict_set(&options, "mpegts_flags", "pat_pmt_at_frames", 0)
        av_dict_set(&options, "pes_payload_size", "0", 0)
        try ScreenEncodingError.check(avformat_write_header(context, &options))
    }

    deinit {
        if let io = context.pointee.pb {
            av_free(io.pointee.buffer)
            avio_context_free(&context.pointee.pb)
        }
        avformat_free_context(context)
    }

    func write(_ packet: UnsafeMutablePointer<AVPacket>, of part: Part) throws(ScreenEncodingError) {
        let index = Int(part.rawValue)
        let result = lock.withLock { _ in
            packet.pointee.stream_index = part.rawValue
            guard let stream = context.pointee.streams[index] else { return Int32(0) }
            av_packet_rescale_ts(packet, timeBases[index], stream.pointee.time_base)
            allowance -= Int(packet.pointee.size)
            return av_write_frame(context, packet)
        }
        av_packet_unref(packet)
        try ScreenEncodingError.check(result)
    }

    /// Fills the stream up to a rate with packets without content. A device that reads in large pieces would otherwise wait
    /// long for a picture that needs few bytes.
    ///
    /// - Parameters:
    ///   - bitRate: In bits a second.
    ///   - time: In the stream, in microseconds.
    package func pad(to bitRate: Int, until time: Int64) {
        lock.withLock { _ in
            let elapsed = min(1_000_000, max(0, time - paddedUntil))
            paddedUntil = time
            // After a large picture less is filled; after a small one nothing is left for later.
            allowance = max(-bitRate / 8, allowance + Int(elapsed) * bitRate / 8_000_000)
            guard allowance >= Self.packetLength else { return }
            let count = allowance / Self.packetLength
            allowance = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count * Self.packetLength) { buffer, length in
                for index in 0..<count {
                    _ = UnsafeMutableBufferPointer(rebasing: buffer[(index * Self.packetLength)...])
                        .update(fromContentsOf: Self.nullPacket)
                }
                length = count * Self.packetLength
            }
            bytes.withUnsafeBytes { output.write($0) }
        }
    }
}

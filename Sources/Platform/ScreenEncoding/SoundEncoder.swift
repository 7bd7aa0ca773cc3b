import CScreenEncoding

/// Encodes interleaved stereo of 16 bit at 48 kHz as AAC. For one thread.
package final class SoundEncoder {
    package static let rate = 48_000
    private static let bitRate: Int64 = 128_000
    /// A difference between the samples' time and their count above which the time counts, in samples.
    private static let tolerance: Int64 = 3_000

    let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let length: Int
    /// Less than a frame of samples.
    private var rest: [Int16] = []
    /// The sample after the rest, counted from the beginning of the stream.
    private var position: Int64 = 0

    package init() throws(ScreenEncodingError) {
        let codec = avcodec_find_encoder(AV_CODEC_ID_AAC)
        frame = try ScreenEncodingError.unwrap(av_frame_alloc())
        packet = try ScreenEncodingError.unwrap(av_packet_alloc())
        context = try ScreenEncodingError.unwrap(
            avcodec_alloc_context3(try ScreenEncodingError.unwrap(codec, "FFmpeg has no encoder for AAC")))
        context.pointee.sample_rate = Int32(Self.rate)
        context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        context.pointee.bit_rate = Self.bitRate
        context.pointee.time_base = AVRational(num: 1, den: Int32(Self.rate))
        mdhost_screen_set_stereo(context)
        try ScreenEncodingError.check(avcodec_open2(context, codec, nil))
        length = Int(context.pointee.frame_size)
        frame.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointee.sample_rate = Int32(Self.rate)
        frame.pointee.nb_samples = Int32(length)
        mdhost_screen_set_stereo_frame(frame)
        try ScreenEncodingError.check(av_frame_get_buffer(frame, 0))
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Encodes samples.
    ///
    /// - Parameter time: Of the first sample in the stream, in microseconds. Small differences are those of clocks and
    ///   are ignored; after a gap the sound continues at its time.
    package func encode(_ samples: [Int16], at time: Int64, into stream: TransportStream) throws(ScreenEncodingError) {
        var samples = samples[...]
        let wanted = time * Int64(Self.rate) / 1_000_000
        if wanted - position > Self.tolerance {
            // The remaining samples belong to the time before the gap.
            rest = []
            position = wanted
        } else if position - wanted > Self.tolerance {
            samples = samples.dropFirst(Int(clamping: position - wanted) * 2)
        }
        position += Int64(samples.count / 2)
        rest += samples
        while rest.count >= length * 2 {
            try ScreenEncodingError.check(av_frame_make_writable(frame))
            rest.withUnsafeBufferPointer { mdhost_screen_separate(frame, $0.baseAddress, Int32(length)) }
            frame.pointee.pts = position - Int64(rest.count / 2)
            rest.removeFirst(length * 2)
            try ScreenEncodingError.check(avcodec_send_frame(context, frame))
            while true {
                let result = avcodec_receive_packet(context, packet)
                if result == mdhost_screen_again { break }
                try ScreenEncodingError.check(result)
                try stream.write(packet, of: .sound)
            }
        }
    }
}

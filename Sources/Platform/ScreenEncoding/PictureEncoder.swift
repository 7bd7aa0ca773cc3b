import CScreenEncoding

/// Encodes pictures as H.264 without delay: each picture comes out before the next one goes in. For one thread.
package final class PictureEncoder {
    /// The encoders in order of preference; the second one is without x264's licence.
    private static let names = ["libx264", "libopenh264"]
    private static let keyInterval = 1

    let context: UnsafeMutablePointer<AVCodecContext>
    private let scaler: PictureScaler
    private let packet: UnsafeMutablePointer<AVPacket>

    /// - Parameters:
    ///   - size: With even sides.
    ///   - rate: Pictures a second.
    ///   - bitRate: In bits a second.
    /// - Throws: ``ScreenEncodingError`` if there is no encoder for H.264.
    package init(size: PictureSize, rate: Int, bitRate: Int) throws(ScreenEncodingError) {
        // Its sentences are about the programs that use it.
        av_log_set_level(AV_LOG_QUIET)
        let codec = Self.names.lazy.compactMap { avcodec_find_encoder_by_name($0) }.first
        scaler = try PictureScaler(size: size)
        packet = try ScreenEncodingError.unwrap(av_packet_alloc())
        context = try ScreenEncodingError.unwrap(
            avcodec_alloc_context3(try ScreenEncodingError.unwrap(codec, "FFmpeg has no encoder for H.264")))
        context.pointee.width = Int32(size.width)
        context.pointee.height = Int32(size.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        context.pointee.time_base = AVRational(num: 1, den: 90_000)
        context.pointee.framerate = AVRational(num: Int32(rate), den: 1)
        context.pointee.gop_size = Int32(rate * Self.keyInterval)
        context.pointee.max_b_frames = 0
        context.pointee.color_range = AVCOL_RANGE_MPEG
        context.pointee.colorspace = AVCOL_SPC_SMPTE170M
        context.pointee.thread_count = 2
        for (name, value) in [
            ("preset", "veryfast"), ("tune", "zerolatency"), ("profile", "main"), ("forced-idr", "1"),
            ("allow_skip_frames", "0"),
        ] {
            // Each encoder has its own.
            av_opt_set(context, name, value, Int32(mdhost_screen_search_children))
        }
        set(bitRate: bitRate)
        try ScreenEncodingError.check(avcodec_open2(context, codec, nil))
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Takes effect with the next picture.
    package func set(bitRate: Int) {
        context.pointee.bit_rate = Int64(bitRate)
        context.pointee.rc_max_rate = Int64(bitRate)
        // A third of a second: a key picture can't take longer than that.
        context.pointee.rc_buffer_size = Int32(clamping: bitRate / 3)
    }

    /// Encodes one picture.
    ///
    /// - Parameters:
    ///   - picture: `nil` repeats the previous one.
    ///   - time: In the stream, in microseconds; later than that of the picture before.
    package func encode(
        _ picture: ScreenPicture?, at time: Int64, isKey: Bool, into stream: TransportStream
    ) throws(ScreenEncodingError) {
        try encode(picture, at: time, isKey: isKey) { packet throws(ScreenEncodingError) in
            try stream.write(packet, of: .picture)
        }
    }

    /// Encodes one picture as an access unit: a byte stream (ITU-T H.264, annex B), with the parameter sets before a key
    /// picture.
    ///
    /// - Parameters:
    ///   - picture: `nil` repeats the previous one.
    ///   - time: In microseconds; later than that of the picture before.
    ///   - body: Receives the access unit, and whether it is that of a key picture.
    package func encode(
        _ picture: ScreenPicture?, at time: Int64, isKey: Bool, _ body: (UnsafeRawBufferPointer, Bool) -> Void
    ) throws(ScreenEncodingError) {
        try encode(picture, at: time, isKey: isKey) { packet throws(ScreenEncodingError) in
            let unit = UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
            body(unit, packet.pointee.flags & AV_PKT_FLAG_KEY != 0)
            av_packet_unref(packet)
        }
    }

    private func encode(
        _ picture: ScreenPicture?, at time: Int64, isKey: Bool,
        each: (UnsafeMutablePointer<AVPacket>) throws(ScreenEncodingError) -> Void
    ) throws(ScreenEncodingError) {
        if let picture { try scaler.take(picture) }
        let frame = scaler.frame
        frame.pointee.pts = time * 9 / 100
        frame.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        try ScreenEncodingError.check(avcodec_send_frame(context, frame))
        while true {
            let result = avcodec_receive_packet(context, packet)
            if result == mdhost_screen_again { return }
            try ScreenEncodingError.check(result)
            try each(packet)
        }
    }
}

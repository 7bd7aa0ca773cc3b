import CScreenEncoding

/// A device of libavdevice, read packet by packet. For one thread.
final class DeviceInput {
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let packet: UnsafeMutablePointer<AVPacket>

    /// - Parameters:
    ///   - format: Its name in libavdevice.
    ///   - name: The device's own name.
    init(format: String, name: String, options: [String: String]) throws(ScreenEncodingError) {
        // Its sentences are about the programs that use it.
        av_log_set_level(AV_LOG_QUIET)
        avdevice_register_all()
        let input = try ScreenEncodingError.unwrap(
            av_find_input_format(format), "FFmpeg was built without \(format)")
        packet = try ScreenEncodingError.unwrap(av_packet_alloc())
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
        try ScreenEncodingError.check(avformat_open_input(&context, name, input, &dictionary))
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        avformat_close_input(&context)
    }

    var parameters: AVCodecParameters? { context?.pointee.streams[0]?.pointee.codecpar.pointee }

    /// Returns the next packet, which holds until the next call; `nil` if there is none yet.
    func read() throws(ScreenEncodingError) -> UnsafeMutablePointer<AVPacket>? {
        av_packet_unref(packet)
        let result = av_read_frame(context, packet)
        if result == mdhost_screen_again { return nil }
        try ScreenEncodingError.check(result)
        return packet
    }
}

import CScreenEncoding

/// Turns packed pictures of any size into the planar frame of one size that is encoded; borders are black.
final class PictureScaler {
    let frame: UnsafeMutablePointer<AVFrame>
    private let size: PictureSize
    private var context: OpaquePointer?
    private var source: PictureSize?

    init(size: PictureSize) throws(ScreenEncodingError) {
        self.size = size
        frame = try ScreenEncodingError.unwrap(av_frame_alloc())
        frame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        frame.pointee.width = Int32(size.width)
        frame.pointee.height = Int32(size.height)
        try ScreenEncodingError.check(av_frame_get_buffer(frame, 0))
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
        sws_freeContext(context)
    }

    func take(_ picture: ScreenPicture) throws(ScreenEncodingError) {
        // The encoder may still look at the previous one.
        try ScreenEncodingError.check(av_frame_make_writable(frame))
        let part = picture.size.fitting(within: size)
        if source != picture.size {
            mdhost_screen_blacken(frame)
            source = picture.size
        }
        context = try ScreenEncodingError.unwrap(
            sws_getCachedContext(
                context, Int32(picture.size.width), Int32(picture.size.height),
                picture.order == .blueFirst ? AV_PIX_FMT_BGR0 : AV_PIX_FMT_RGB0, Int32(part.width),
                Int32(part.height), AV_PIX_FMT_YUV420P, SWS_FAST_BILINEAR, nil, nil, nil),
            "the picture can't be converted")
        try ScreenEncodingError.check(
            mdhost_screen_scale(
                context, picture.pixels, Int32(picture.stride), Int32(picture.size.height), frame,
                Int32((size.width - part.width) / 4 * 2), Int32((size.height - part.height) / 4 * 2)))
    }
}

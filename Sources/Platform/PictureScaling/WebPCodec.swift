import CPictureCodecs

enum WebPCodec: PictureCodec {
    static func size(_ picture: [UInt8]) -> PictureSize? {
        var (width, height) = (Int32(0), Int32(0))
        guard WebPGetInfo(picture, picture.count, &width, &height) != 0 else { return nil }
        return PictureSize(width: Int(width), height: Int(height))
    }

    /// - Returns: `nil` for one that moves, too.
    static func decode(_ picture: [UInt8], atLeast _: PictureSize) -> Pixels? {
        var (width, height) = (Int32(0), Int32(0))
        guard let decoded = WebPDecodeBGRA(picture, picture.count, &width, &height) else { return nil }
        defer { WebPFree(decoded) }
        let bytes = Array(UnsafeBufferPointer(start: decoded, count: Int(width) * Int(height) * 4))
        return Pixels(size: PictureSize(width: Int(width), height: Int(height)), bytes: bytes)
    }
}

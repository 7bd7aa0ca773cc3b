import CPictureCodecs

/// Makes pictures smaller: JPEG, PNG and WebP, by the system's libraries. For programs that are confined, because pictures come
/// from the network.
package enum PictureScaling {
    /// The most pixels of a picture that is decoded; what has more could take all memory of those who show it, too.
    package static let mostPixels = 40_000_000

    /// Returns the picture fitted into a square, as JPEG, or as PNG if it is transparent.
    ///
    /// - Parameter side: The side of the square in pixels.
    /// - Returns: The picture itself if it fits already, has another format, or can't be decoded.
    /// - Throws: ``TooManyPixels``.
    package static func fit(_ picture: [UInt8], into side: Int) throws(TooManyPixels) -> [UInt8] {
        guard let codec = codec(of: picture), let size = codec.size(picture) else { return picture }
        try check(size)
        guard let target = size.fitted(into: side),
            let pixels = codec.decode(picture, atLeast: target)?.scaled(to: target)
        else { return picture }
        return (pixels.isOpaque ? JPEGCodec.encode(pixels) : PNGCodec.encode(pixels)) ?? picture
    }

    /// Returns the picture's pixels, fitted into a square; transparent ones on black.
    ///
    /// - Parameter side: The side of the square in pixels.
    /// - Returns: Rows of red, green and blue; `nil` if the format isn't known, or it can't be decoded.
    /// - Throws: ``TooManyPixels``.
    package static func pixels(
        of picture: [UInt8], into side: Int
    ) throws(TooManyPixels) -> (width: Int, height: Int, bytes: [UInt8])? {
        guard let codec = codec(of: picture), let size = codec.size(picture) else { return nil }
        try check(size)
        let target = size.fitted(into: side) ?? size
        guard let pixels = codec.decode(picture, atLeast: target)?.scaled(to: target) else { return nil }
        return (target.width, target.height, pixels.onBlack)
    }

    /// The picture has more than ``mostPixels``.
    package struct TooManyPixels: Error {}

    private static func check(_ size: PictureSize) throws(TooManyPixels) {
        // Both at once could overflow.
        guard size.width <= mostPixels, size.height <= mostPixels, size.width * size.height <= mostPixels else {
            throw TooManyPixels()
        }
    }

    private static func codec(of picture: [UInt8]) -> (any PictureCodec.Type)? {
        if picture.starts(with: [0xff, 0xd8, 0xff]) { return JPEGCodec.self }
        if picture.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return PNGCodec.self }
        let isWebP = picture.starts(with: "RIFF".utf8) && picture.dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP ? WebPCodec.self : nil
    }
}

/// A format.
protocol PictureCodec {
    /// What the picture's header says; `nil` if it isn't valid.
    static func size(_ picture: [UInt8]) -> PictureSize?

    /// Returns the pixels; of a format that can, already scaled down, but to no less than the size.
    static func decode(_ picture: [UInt8], atLeast size: PictureSize) -> Pixels?
}

struct PictureSize: Hashable {
    var width: Int
    var height: Int

    /// Returns the size in a square of the same shape; `nil` if it fits already.
    func fitted(into side: Int) -> PictureSize? {
        let greater = max(width, height)
        guard side > 0, greater > side else { return nil }
        let scaled = { (length: Int) in max(1, (length * side + greater / 2) / greater) }
        return PictureSize(width: scaled(width), height: scaled(height))
    }
}

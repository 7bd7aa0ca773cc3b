public import Foundation

/// An immutable picture, as pixels or as the encoded file it was created from.
///
/// It has only the part of Core Graphics' class that passes a picture to the system. It can't be drawn.
public final class CGImage: Sendable {
    /// The greatest width and height in pixels.
    public static let greatestSide = 16_384

    enum Content: Sendable {
        /// The pixels, with eight bits per component and rows without padding. One component is gray, three are color,
        /// four are color with alpha last.
        case pixels(Data, components: Int)
        case encoded(Data)
    }

    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The number of bits per component, always 8.
    public var bitsPerComponent: Int { 8 }
    /// The alpha component of a pixel.
    public let alphaInfo: CGImageAlphaInfo
    let content: Content

    /// Creates an image from pixels.
    ///
    /// - Parameters:
    ///   - width: The width in pixels, `1...greatestSide`.
    ///   - height: The height in pixels, `1...greatestSide`.
    ///   - bitsPerComponent: 8.
    ///   - bitsPerPixel: 8 for gray, 24 or 32 for color.
    ///   - bytesPerRow: The number of bytes per row. Bytes after the row's pixels are skipped.
    ///   - space: Gray or RGB, matching `bitsPerPixel`.
    ///   - bitmapInfo: The alpha component and the byte order: the default or `byteOrder32Big`, or `byteOrder32Little`
    ///     with 32 bits per pixel.
    ///   - provider: The bytes.
    ///   - decode: `nil`; other values aren't supported.
    ///   - shouldInterpolate: Has no effect on Linux.
    ///   - intent: Has no effect on Linux, where all colors are sRGB.
    /// - Returns: `nil` if the values don't match, or there are too few bytes.
    public init?(
        width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
        bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        let sides = 1...Self.greatestSide
        guard sides.contains(width), sides.contains(height), bitsPerComponent == 8, decode == nil,
            let layout = PixelLayout(bitsPerPixel: bitsPerPixel, space: space, bitmapInfo: bitmapInfo),
            bytesPerRow >= width * layout.bytesPerPixel, bytesPerRow <= 1 << 24,
            provider.data.count >= (height - 1) * bytesPerRow + width * layout.bytesPerPixel
        else { return nil }
        self.width = width
        self.height = height
        alphaInfo = layout.alphaInfo
        content = .pixels(
            layout.normalized(provider.data, width: width, height: height, bytesPerRow: bytesPerRow),
            components: layout.components)
    }

    /// Creates an image from a PNG file, which is kept as it is.
    ///
    /// - Returns: `nil` for other data.
    public init?(
        pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        guard let size = EncodedSize.png(source.data) else { return nil }
        (width, height) = size
        alphaInfo = .last
        content = .encoded(source.data)
    }

    /// Creates an image from a JPEG file, which is kept as it is.
    ///
    /// - Returns: `nil` for other data.
    public init?(
        jpegDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        guard let size = EncodedSize.jpeg(source.data) else { return nil }
        (width, height) = size
        alphaInfo = .none
        content = .encoded(source.data)
    }

    /// The picture as a file: the one it was created from, or a PNG file of its pixels.
    package var encoded: Data {
        switch content {
        case .encoded(let data): data
        case .pixels(let pixels, let components):
            PNGEncoder.encode(pixels, width: width, height: height, components: components)
        }
    }
}

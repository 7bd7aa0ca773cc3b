import Foundation

/// A picture as pixels, or as the encoded file it was made from. Never changes.
///
/// As much of Core Graphics' class as handing a picture to the system takes; nothing draws here.
public final class CGImage: Sendable {
    /// The greatest width and height, in pixels.
    public static let greatestSide = 16_384

    enum Content: Sendable {
        /// Eight bits a component, rows without padding: one component for gray, three for colour, or four with alpha last.
        case pixels(Data, components: Int)
        case encoded(Data)
    }

    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Bits of one component; 8 for every picture here.
    public var bitsPerComponent: Int { 8 }
    /// What a pixel's bytes mean.
    public let alphaInfo: CGImageAlphaInfo
    let content: Content

    /// Takes pixels.
    ///
    /// - Parameters:
    ///   - width: `1...greatestSide`, as is `height`.
    ///   - bitsPerComponent: 8.
    ///   - bitsPerPixel: 8 for gray, 24 or 32 for colour.
    ///   - bytesPerRow: At least what a row's pixels take; the rest of a row is skipped.
    ///   - space: Gray or RGB, according to `bitsPerPixel`.
    ///   - bitmapInfo: Where alpha is, and whether it is multiplied in; the byte order is the default one or `byteOrder32Big`, or
    ///     `byteOrder32Little` with 32 bits a pixel.
    ///   - provider: The bytes.
    ///   - decode: Not supported: `nil`.
    ///   - shouldInterpolate: Has no effect, as nothing draws here.
    ///   - intent: Has no effect, as all colours are taken for sRGB.
    /// - Returns: `nil` for what does not fit together, or too few bytes.
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

    /// Takes a PNG file as it is.
    ///
    /// - Returns: `nil` for anything else.
    public init?(
        pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        guard let size = EncodedSize.png(source.data) else { return nil }
        (width, height) = size
        alphaInfo = .last
        content = .encoded(source.data)
    }

    /// Takes a JPEG file as it is.
    ///
    /// - Returns: `nil` for anything else.
    public init?(
        jpegDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        guard let size = EncodedSize.jpeg(source.data) else { return nil }
        (width, height) = size
        alphaInfo = .none
        content = .encoded(source.data)
    }

    /// The picture as a file: what it was made from, or a PNG of its pixels.
    package var encoded: Data {
        switch content {
        case .encoded(let data): data
        case .pixels(let pixels, let components):
            PNGEncoder.encode(pixels, width: width, height: height, components: components)
        }
    }
}

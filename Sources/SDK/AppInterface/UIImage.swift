public import BitmapImages
public import Foundation

/// A picture from a PNG or JPEG file, or from pixels. It can be passed on, but not drawn.
///
/// Source: UIKit, iOS 27 SDK.
public final class UIImage: Sendable {
    /// The picture.
    public let cgImage: CGImage?

    /// Creates an image from a picture.
    public init(cgImage: CGImage) { self.cgImage = cgImage }

    /// Creates an image from a PNG or JPEG file.
    ///
    /// - Returns: `nil` for other data.
    public init?(data: Data) {
        guard let provider = CGDataProvider(data: data) else { return nil }
        let image =
            CGImage(pngDataProviderSource: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
            ?? CGImage(jpegDataProviderSource: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
        guard let image else { return nil }
        cgImage = image
    }

    /// The size in pixels. The scale of every image is 1.
    public var size: CGSize { CGSize(width: cgImage?.width ?? 0, height: cgImage?.height ?? 0) }
}

import BitmapImages
import Foundation

/// A picture to be handed on: from a PNG or JPEG file, or from pixels. Nothing draws it here.
///
/// Source: UIKit, iOS 27 SDK.
public final class UIImage: Sendable {
    /// The picture.
    public let cgImage: CGImage?

    /// Takes a picture.
    public init(cgImage: CGImage) { self.cgImage = cgImage }

    /// Takes a PNG or JPEG file.
    ///
    /// - Returns: `nil` for anything else.
    public init?(data: Data) {
        guard let provider = CGDataProvider(data: data) else { return nil }
        let image =
            CGImage(pngDataProviderSource: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
            ?? CGImage(jpegDataProviderSource: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
        guard let image else { return nil }
        cgImage = image
    }

    /// In pixels, as every picture here has the scale 1.
    public var size: CGSize { CGSize(width: cgImage?.width ?? 0, height: cgImage?.height ?? 0) }
}

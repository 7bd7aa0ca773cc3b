import CoreGraphics
import Foundation

// A file of its own: one that imports both Testing and CoreGraphics asks for an overlay that only Apple's systems have.
enum Pixel {
    static var red: CGImage? {
        CGDataProvider(data: Data([255, 0, 0, 255]) as CFData).flatMap { provider in
            CGImage(
                width: 1, height: 1, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 4,
                space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.premultipliedLast.rawValue), provider: provider,
                decode: nil, shouldInterpolate: false, intent: .defaultIntent)
        }
    }
}

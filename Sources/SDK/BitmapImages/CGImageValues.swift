public import Foundation

/// The Core Foundation name of bytes. `data as CFData` is the data itself on Linux.
public typealias CFData = Data

/// The bytes of a picture.
public final class CGDataProvider: Sendable {
    /// All bytes.
    public let data: Data

    /// Creates a provider; never `nil`.
    public init?(data: CFData) { self.data = data }
}

/// The meaning of a pixel's components.
public final class CGColorSpace: Sendable {
    enum Model { case gray, rgb }
    let model: Model

    init(_ model: Model) { self.model = model }

    /// The name of the sRGB space.
    public static let sRGB = "kCGColorSpaceSRGB"
    /// The name of the gray space with gamma 2.2.
    public static let genericGrayGamma2_2 = "kCGColorSpaceGenericGrayGamma2_2"

    /// Creates a space from its name.
    ///
    /// - Returns: `nil` unless the name is ``sRGB`` or ``genericGrayGamma2_2``.
    public convenience init?(name: String) {
        switch name {
        case Self.sRGB: self.init(.rgb)
        case Self.genericGrayGamma2_2: self.init(.gray)
        default: return nil
        }
    }

    /// The number of components of a color, without alpha.
    public var numberOfComponents: Int { model == .gray ? 1 : 3 }
}

/// Creates an RGB space, on Linux the same as sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(.rgb) }
/// Creates a gray space.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(.gray) }

/// The alpha component of a pixel.
public enum CGImageAlphaInfo: UInt32, Sendable {
    /// No alpha: the pixel is opaque and has no byte for it.
    case none = 0
    /// Alpha after the color, which is premultiplied.
    case premultipliedLast = 1
    /// Alpha before the color, which is premultiplied.
    case premultipliedFirst = 2
    /// Alpha after the color.
    case last = 3
    /// Alpha before the color.
    case first = 4
    /// No alpha; the byte after the color is ignored.
    case noneSkipLast = 5
    /// No alpha; the byte before the color is ignored.
    case noneSkipFirst = 6
    /// Only alpha, without a color. Not supported on Linux.
    case alphaOnly = 7
}

/// The memory layout of a pixel: a ``CGImageAlphaInfo`` and a byte order.
public struct CGBitmapInfo: OptionSet, Sendable {
    /// The alpha information and the byte order as bits.
    public let rawValue: UInt32
    /// Creates a layout from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The bits of the ``CGImageAlphaInfo``.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
    /// The bits of the byte order.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// The byte order in which the last component comes first, in pixels of four bytes.
    public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
    /// The byte order in which the first component comes first, in pixels of four bytes.
    public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
}

/// A method of color conversion. It has no effect on Linux.
public enum CGColorRenderingIntent: Int32, Sendable {
    case defaultIntent, absoluteColorimetric, relativeColorimetric, perceptual, saturation
}

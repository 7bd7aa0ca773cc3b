import Foundation

/// Bytes, in Core Foundation's name for them: `data as CFData` is the data itself here.
public typealias CFData = Data

/// Bytes that a picture is made of.
public final class CGDataProvider: Sendable {
    /// All of them.
    public let data: Data

    /// Takes bytes.
    public init?(data: CFData) { self.data = data }
}

/// What the components of a pixel mean.
public final class CGColorSpace: Sendable {
    enum Model { case gray, rgb }
    let model: Model

    init(_ model: Model) { self.model = model }

    /// The name of a space.
    public static let sRGB = "kCGColorSpaceSRGB"
    /// The name of a space.
    public static let genericGrayGamma2_2 = "kCGColorSpaceGenericGrayGamma2_2"

    /// The space of a name.
    ///
    /// - Returns: `nil` for any but ``sRGB`` and ``genericGrayGamma2_2``.
    public convenience init?(name: String) {
        switch name {
        case Self.sRGB: self.init(.rgb)
        case Self.genericGrayGamma2_2: self.init(.gray)
        default: return nil
        }
    }

    /// How many components a colour has, without alpha.
    public var numberOfComponents: Int { model == .gray ? 1 : 3 }
}

/// Red, green and blue; here the same as sRGB.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(.rgb) }
/// Gray.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(.gray) }

/// Where a pixel has its alpha.
public enum CGImageAlphaInfo: UInt32, Sendable {
    /// Nowhere: it is opaque, and has three components.
    case none = 0
    /// Behind the colour, which is multiplied by it.
    case premultipliedLast = 1
    /// Before the colour, which is multiplied by it.
    case premultipliedFirst = 2
    /// Behind the colour.
    case last = 3
    /// Before the colour.
    case first = 4
    /// Nowhere; the byte behind the colour has no meaning.
    case noneSkipLast = 5
    /// Nowhere; the byte before the colour has no meaning.
    case noneSkipFirst = 6
    /// There is no colour; not supported here.
    case alphaOnly = 7
}

/// How the components of a pixel lie in memory: a ``CGImageAlphaInfo`` and a byte order.
public struct CGBitmapInfo: OptionSet, Sendable {
    /// The alpha's value and the order's bits.
    public let rawValue: UInt32
    /// Takes both.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The bits that are a ``CGImageAlphaInfo``.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
    /// The bits that are the order.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// The last component is the first byte of four.
    public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
    /// The first component is the first byte of four.
    public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
}

/// How colours are moved to another space; has no effect here.
public enum CGColorRenderingIntent: Int32, Sendable {
    case defaultIntent, absoluteColorimetric, relativeColorimetric, perceptual, saturation
}

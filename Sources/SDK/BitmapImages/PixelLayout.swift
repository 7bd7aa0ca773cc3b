import Foundation

/// The memory layout of an author's pixels, and their conversion to the order of PNG.
struct PixelLayout {
    let bytesPerPixel: Int
    let alphaInfo: CGImageAlphaInfo
    /// The number of components of the result: 1, 3 or 4.
    let components: Int
    /// The offsets of red, green, blue and alpha, or of gray, in an author's pixel.
    private let offsets: [Int]

    /// Creates a layout; `nil` for an unsupported combination.
    init?(bitsPerPixel: Int, space: CGColorSpace, bitmapInfo: CGBitmapInfo) {
        guard let alpha = CGImageAlphaInfo(rawValue: bitmapInfo.intersection(.alphaInfoMask).rawValue) else {
            return nil
        }
        let order = bitmapInfo.intersection(.byteOrderMask)
        alphaInfo = alpha
        bytesPerPixel = bitsPerPixel / 8
        switch (space.model, bitsPerPixel) {
        case (.gray, 8) where alpha == .none && order.isEmpty:
            (components, offsets) = (1, [0])
        case (.rgb, 24) where alpha == .none && order.isEmpty:
            (components, offsets) = (3, [0, 1, 2])
        case (.rgb, 32) where order.isEmpty || order == .byteOrder32Big || order == .byteOrder32Little:
            let bigEndian: [Int]
            switch alpha {
            case .premultipliedLast, .last: (components, bigEndian) = (4, [0, 1, 2, 3])
            case .premultipliedFirst, .first: (components, bigEndian) = (4, [1, 2, 3, 0])
            case .noneSkipLast: (components, bigEndian) = (3, [0, 1, 2])
            case .noneSkipFirst: (components, bigEndian) = (3, [1, 2, 3])
            case .none, .alphaOnly: return nil
            }
            offsets = order == .byteOrder32Little ? bigEndian.map { 3 - $0 } : bigEndian
        default: return nil
        }
    }

    private var isPremultiplied: Bool { alphaInfo == .premultipliedFirst || alphaInfo == .premultipliedLast }

    /// Returns the pixels without padding, in the order red, green, blue, alpha, with colors that aren't premultiplied.
    func normalized(_ data: Data, width: Int, height: Int, bytesPerRow: Int) -> Data {
        var result = Data(count: width * height * components)
        data.withUnsafeBytes { (source: UnsafeRawBufferPointer) in
            result.withUnsafeMutableBytes { (target: UnsafeMutableRawBufferPointer) in
                var place = 0
                for row in 0..<height {
                    for column in 0..<width {
                        let pixel = row * bytesPerRow + column * bytesPerPixel
                        for (component, offset) in offsets.enumerated() {
                            target[place + component] = source[pixel + offset]
                        }
                        if isPremultiplied { divide(target, at: place) }
                        place += components
                    }
                }
            }
        }
        return result
    }

    private func divide(_ target: UnsafeMutableRawBufferPointer, at place: Int) {
        let alpha = Int(target[place + 3])
        guard alpha != 255 else { return }
        for component in place..<place + 3 {
            let value = alpha == 0 ? 0 : min(255, (Int(target[component]) * 255 + alpha / 2) / alpha)
            target[component] = UInt8(value)
        }
    }
}

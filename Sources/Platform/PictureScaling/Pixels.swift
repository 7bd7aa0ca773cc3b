import CPictureCodecs

/// Pixels of four bytes: blue, green, red and alpha, which the others aren't multiplied by.
struct Pixels {
    var size: PictureSize
    var bytes: [UInt8]

    /// - Returns: `nil` if the memory doesn't suffice, or the sides aren't 1…16383.
    func scaled(to target: PictureSize) -> Pixels? {
        guard size != target else { return self }
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else { return nil }
        defer { WebPPictureFree(&picture) }
        picture.use_argb = 1
        picture.width = Int32(size.width)
        picture.height = Int32(size.height)
        guard WebPPictureImportBGRA(&picture, bytes, Int32(size.width * 4)) != 0,
            WebPPictureRescale(&picture, Int32(target.width), Int32(target.height)) != 0, let argb = picture.argb
        else { return nil }
        var scaled = [UInt8](repeating: 0, count: target.width * target.height * 4)
        let rowBytes = target.width * 4
        scaled.withUnsafeMutableBytes { scaled in
            for row in 0..<target.height {
                // Words of ARGB are bytes of BGRA on amd64 and arm64.
                let source = UnsafeRawBufferPointer(
                    start: argb + row * Int(picture.argb_stride), count: rowBytes)
                UnsafeMutableRawBufferPointer(rebasing: scaled[row * rowBytes..<(row + 1) * rowBytes])
                    .copyMemory(from: source)
            }
        }
        return Pixels(size: target, bytes: scaled)
    }

    var isOpaque: Bool {
        bytes.withUnsafeBytes { bytes in stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }
    }

    /// Red, green and blue of each pixel in front of black.
    var onBlack: [UInt8] {
        var colours: [UInt8] = []
        colours.reserveCapacity(bytes.count / 4 * 3)
        for pixel in stride(from: 0, to: bytes.count, by: 4) {
            let alpha = UInt16(bytes[pixel + 3])
            for component in [2, 1, 0] { colours.append(UInt8(UInt16(bytes[pixel + component]) * alpha / 255)) }
        }
        return colours
    }
}

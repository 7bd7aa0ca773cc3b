import CPictureCodecs

enum JPEGCodec: PictureCodec {
    private static let quality: Int32 = 88

    static func size(_ picture: [UInt8]) -> PictureSize? {
        withDecoder { decoder in header(picture, decoder) }
    }

    /// A JPEG is decoded at one of some sizes by its own mathematics, which takes a fraction of the time and memory.
    static func decode(_ picture: [UInt8], atLeast target: PictureSize) -> Pixels? {
        withDecoder { decoder in
            guard let size = header(picture, decoder) else { return nil }
            let decoded = scales.map { PictureSize(width: $0.scaled(size.width), height: $0.scaled(size.height)) }
                .filter { $0.width >= target.width && $0.height >= target.height }
                .min { $0.width * $0.height < $1.width * $1.height }
            let scaled = decoded ?? size
            var bytes = [UInt8](repeating: 0, count: scaled.width * scaled.height * 4)
            let result = tjDecompress2(
                decoder, picture, UInt(picture.count), &bytes, Int32(scaled.width), 0, Int32(scaled.height),
                Int32(TJPF_BGRA.rawValue), TJFLAG_LIMITSCANS)
            // A picture that was torn off is shown as far as it came.
            guard result == 0 || tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) else { return nil }
            return Pixels(size: scaled, bytes: bytes)
        }
    }

    static func encode(_ pixels: Pixels) -> [UInt8]? {
        guard let encoder = tjInitCompress() else { return nil }
        var output: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer {
            tjFree(output)
            tjDestroy(encoder)
        }
        let result = tjCompress2(
            encoder, pixels.bytes, Int32(pixels.size.width), 0, Int32(pixels.size.height), Int32(TJPF_BGRA.rawValue),
            &output, &count, Int32(TJSAMP_420.rawValue), quality, 0)
        guard result == 0, let output else { return nil }
        return Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }

    private static func withDecoder<Value>(_ body: (tjhandle) -> Value?) -> Value? {
        guard let decoder = tjInitDecompress() else { return nil }
        defer { tjDestroy(decoder) }
        return body(decoder)
    }

    private static func header(_ picture: [UInt8], _ decoder: tjhandle) -> PictureSize? {
        var (width, height, subsampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
        guard tjDecompressHeader3(decoder, picture, UInt(picture.count), &width, &height, &subsampling, &colours) == 0,
            width > 0, height > 0
        else { return nil }
        return PictureSize(width: Int(width), height: Int(height))
    }

    private static var scales: [tjscalingfactor] {
        var count: Int32 = 0
        let factors = tjGetScalingFactors(&count)
        return Array(UnsafeBufferPointer(start: factors, count: Int(count))).filter { $0.num <= $0.denom }
    }
}

extension tjscalingfactor {
    /// The library's own rounding.
    fileprivate func scaled(_ length: Int) -> Int { (length * Int(num) + Int(denom) - 1) / Int(denom) }
}

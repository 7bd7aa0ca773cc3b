import CPictureCodecs

enum PNGCodec: PictureCodec {
    static func size(_ picture: [UInt8]) -> PictureSize? {
        reading(picture) { image in PictureSize(width: Int(image.width), height: Int(image.height)) }
    }

    static func decode(_ picture: [UInt8], atLeast _: PictureSize) -> Pixels? {
        reading(picture) { image in
            image.format = mdhost_png_bgra
            var bytes = [UInt8](repeating: 0, count: Int(image.width) * Int(image.height) * 4)
            guard png_image_finish_read(&image, nil, &bytes, 0, nil) != 0 else { return nil }
            return Pixels(size: PictureSize(width: Int(image.width), height: Int(image.height)), bytes: bytes)
        }
    }

    static func encode(_ pixels: Pixels) -> [UInt8]? {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(pixels.size.width)
        image.height = png_uint_32(pixels.size.height)
        image.format = mdhost_png_bgra
        defer { png_image_free(&image) }
        // Asked without a place to write to, it tells the size.
        var count = 0
        guard png_image_write_to_memory(&image, nil, &count, 0, pixels.bytes, 0, nil) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        guard png_image_write_to_memory(&image, &bytes, &count, 0, pixels.bytes, 0, nil) != 0 else { return nil }
        return Array(bytes.prefix(count))
    }

    private static func reading<Value>(_ picture: [UInt8], _ body: (inout png_image) -> Value?) -> Value? {
        picture.withUnsafeBytes { bytes in
            var image = png_image()
            image.version = png_uint_32(PNG_IMAGE_VERSION)
            guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else { return nil }
            defer { png_image_free(&image) }
            return body(&image)
        }
    }
}

/// The size of a picture, in pixels.
package struct PictureSize: Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Returns the largest size of this shape that fits and has even sides, as H.264 needs them. Nothing is enlarged.
    package func fitting(within limit: PictureSize) -> PictureSize {
        guard width > 0, height > 0 else { return PictureSize(width: 2, height: 2) }
        let scale = min(1, Double(limit.width) / Double(width), Double(limit.height) / Double(height))
        func even(_ side: Int, _ limit: Int) -> Int {
            max(2, min(Int((Double(side) * scale).rounded()), limit) / 2 * 2)
        }
        return PictureSize(width: even(width, limit.width), height: even(height, limit.height))
    }
}

/// One picture in memory, packed with four bytes a pixel. It holds until the source's next one is taken.
package struct ScreenPicture {
    package enum Order: Sendable, Hashable { case blueFirst, redFirst }

    package var pixels: UnsafePointer<UInt8>
    /// The number of bytes from one row to the next.
    package var stride: Int
    package var size: PictureSize
    package var order: Order

    package init(pixels: UnsafePointer<UInt8>, stride: Int, size: PictureSize, order: Order) {
        self.pixels = pixels
        self.stride = stride
        self.size = size
        self.order = order
    }
}

import CPictureCodecs
import Foundation
import Testing

@testable import PictureScaling

struct PictureScalingTests {
    /// Red at the left, blue at the right; the last column as transparent as asked.
    private static func pixels(_ width: Int, _ height: Int, alpha: UInt8 = 255) -> Pixels {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 4)
        let row = (0..<width).flatMap { x -> [UInt8] in
            x < width / 2 ? [0, 0, 255, 255] : [255, 0, 0, x == width - 1 ? alpha : 255]
        }
        for _ in 0..<height { bytes += row }
        return Pixels(size: PictureSize(width: width, height: height), bytes: bytes)
    }

    private static func webP(_ pixels: Pixels) throws -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        let count = WebPEncodeLosslessBGRA(
            pixels.bytes, Int32(pixels.size.width), Int32(pixels.size.height), Int32(pixels.size.width * 4), &output)
        defer { WebPFree(output) }
        return Array(UnsafeBufferPointer(start: try #require(output), count: count))
    }

    private static func picture(_ format: String, _ pixels: Pixels) throws -> [UInt8] {
        switch format {
        case "jpeg": try #require(JPEGCodec.encode(pixels))
        case "png": try #require(PNGCodec.encode(pixels))
        default: try webP(pixels)
        }
    }

    @Test(arguments: ["jpeg", "png", "webp"]) func largePicturesFitAfterwards(format: String) throws {
        let picture = try Self.picture(format, Self.pixels(1500, 1000))
        let fitted = try PictureScaling.fit(picture, into: 512)
        #expect(fitted.starts(with: [0xff, 0xd8, 0xff]))
        let pixels = try #require(JPEGCodec.decode(fitted, atLeast: PictureSize(width: 512, height: 341)))
        #expect(pixels.size == PictureSize(width: 512, height: 341))
        let left = pixels.bytes[170 * 512 * 4 + 20 * 4..<170 * 512 * 4 + 21 * 4].map { $0 }
        let right = pixels.bytes[170 * 512 * 4 + 490 * 4..<170 * 512 * 4 + 491 * 4].map { $0 }
        #expect(left[2] > 240 && left[0] < 15 && right[0] > 240 && right[2] < 15, "\(left) \(right)")
    }

    @Test func whatFitsStaysAsItIs() throws {
        for format in ["jpeg", "png", "webp"] {
            let picture = try Self.picture(format, Self.pixels(512, 300))
            #expect(try PictureScaling.fit(picture, into: 512) == picture)
            #expect(try PictureScaling.fit(picture, into: 0) == picture)
        }
    }

    @Test func transparencyIsKept() throws {
        let picture = try Self.picture("png", Self.pixels(1024, 64, alpha: 0))
        let fitted = try PictureScaling.fit(picture, into: 256)
        let pixels = try #require(PNGCodec.decode(fitted, atLeast: PictureSize(width: 1, height: 1)))
        #expect(pixels.size == PictureSize(width: 256, height: 16) && !pixels.isOpaque)
    }

    @Test(arguments: [[], Array("GIF89a".utf8), [0xff, 0xd8, 0xff], Array("<svg/>".utf8), Array("RIFFxxxxWEBP".utf8)])
    func whatIsNoPictureStaysAsItIs(bytes: [UInt8]) throws {
        #expect(try PictureScaling.fit(bytes, into: 512) == bytes)
    }

    @Test(arguments: ["jpeg", "png", "webp"]) func pixelsAreRedGreenAndBlue(format: String) throws {
        let picture = try Self.picture(format, Self.pixels(400, 200, alpha: 0))
        let pixels = try #require(try PictureScaling.pixels(of: picture, into: 100))
        #expect(pixels.width == 100 && pixels.height == 50 && pixels.bytes.count == 100 * 50 * 3)
        let (left, right) = (pixels.bytes[30..<33].map { $0 }, pixels.bytes[270..<273].map { $0 })
        #expect(left[0] > 240 && left[2] < 15 && right[0] < 15 && right[2] > 240, "\(left) \(right)")
        // One that fits isn't scaled up; what is transparent is black.
        let small = try #require(try PictureScaling.pixels(of: picture, into: 500))
        #expect(small.width == 400)
        if format == "png" { #expect(small.bytes[399 * 3..<400 * 3].allSatisfy { $0 == 0 }) }
        #expect(try PictureScaling.pixels(of: Array("GIF89a".utf8), into: 100) == nil)
    }

    /// A header alone: nothing of that size is ever allocated.
    @Test func aBombIsRefused() throws {
        var bomb = try Self.picture("png", Self.pixels(600, 600))
        // Width and height of IHDR, with its checksum.
        bomb.replaceSubrange(16..<24, with: [0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff])
        let crc = Self.checksum(bomb[12..<29])
        bomb.replaceSubrange(29..<33, with: (0..<4).map { UInt8(crc >> (24 - 8 * UInt($0)) & 0xff) })
        #expect(throws: PictureScaling.TooManyPixels.self) { try PictureScaling.fit(bomb, into: 512) }
        #expect(throws: PictureScaling.TooManyPixels.self) { try PictureScaling.pixels(of: bomb, into: 512) }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 0 ? 0 : 0xedb8_8320) }
        }
    }

    /// Damaged in any place, a picture ends as a picture or as it was, and never the process.
    @Test(arguments: ["jpeg", "png", "webp"]) func damageIsNoHarm(format: String) throws {
        var random = SystemRandomNumberGenerator()
        let picture = try Self.picture(format, Self.pixels(700, 40))
        for _ in 0..<60 {
            var damaged = picture
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                damaged[Int.random(in: 8..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { damaged = Array(damaged.prefix(.random(in: 8...damaged.count))) }
            _ = try? PictureScaling.fit(damaged, into: 64)
            _ = try? PictureScaling.pixels(of: damaged, into: 64)
        }
    }
}

import BitmapImages
import Foundation
import NowPlaying
import Testing

@Suite("CGImage", .timeLimit(.minutes(1)))
struct CGImageTests {
    private func image(
        _ bytes: [UInt8], width: Int, height: Int, bits: Int = 32, row: Int? = nil,
        space: CGColorSpace = CGColorSpaceCreateDeviceRGB(), info: CGBitmapInfo
    ) -> CGImage? {
        CGDataProvider(data: Data(bytes) as CFData).flatMap {
            CGImage(
                width: width, height: height, bitsPerComponent: 8, bitsPerPixel: bits,
                bytesPerRow: row ?? width * bits / 8, space: space, bitmapInfo: info, provider: $0, decode: nil,
                shouldInterpolate: false, intent: .defaultIntent)
        }
    }

    private static func info(_ alpha: CGImageAlphaInfo, _ order: CGBitmapInfo = []) -> CGBitmapInfo {
        [CGBitmapInfo(rawValue: alpha.rawValue), order]
    }

    /// Reads a PNG file with Python's zlib: width, height, components and the unfiltered bytes.
    private func decode(_ file: Data) throws -> [UInt8] {
        let program = """
            import sys, zlib, struct
            d = sys.stdin.buffer.read(); assert d[:8] == bytes([137,80,78,71,13,10,26,10]); p = 8; z = b''
            while p < len(d):
                n, = struct.unpack('>I', d[p:p+4]); t = d[p+4:p+8]; c = d[p+8:p+8+n]
                assert struct.unpack('>I', d[p+8+n:p+12+n])[0] == zlib.crc32(t + c); p += 12 + n
                if t == b'IHDR': w, h, b, k = struct.unpack('>IIBB', c[:10])
                if t == b'IDAT': z += c
            n = {0: 1, 2: 3, 6: 4}[k]; r = zlib.decompress(z); s = w * n; o = [0] * s; out = []
            assert b == 8 and len(r) == h * (s + 1)
            for y in range(h):
                assert r[y * (s + 1)] == 2
                o = [(o[i] + r[y * (s + 1) + 1 + i]) % 256 for i in range(s)]; out += o
            sys.stdout.buffer.write(bytes([w % 256, h % 256, n] + out))
            """
        let python = Process()
        let (input, output) = (Pipe(), Pipe())
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", program]
        python.standardInput = input
        python.standardOutput = output
        try python.run()
        Thread.detachNewThread {
            input.fileHandleForWriting.write(file)
            try? input.fileHandleForWriting.close()
        }
        let result = output.fileHandleForReading.readDataToEndOfFile()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
        return Array(result)
    }

    private func drawn(_ image: CGImage?) throws -> [UInt8] { try decode(#require(image).encoded) }

    @Test("every order of components is drawn as red, green, blue, alpha")
    func orders() throws {
        let red: [UInt8] = [2, 1, 4, 10, 20, 30, 255, 40, 50, 60, 255]
        #expect(
            try drawn(image([10, 20, 30, 255, 40, 50, 60, 255], width: 2, height: 1, info: Self.info(.last)))
                == [2, 1, 4, 10, 20, 30, 255, 40, 50, 60, 255])
        #expect(
            try drawn(image([255, 10, 20, 30, 255, 40, 50, 60], width: 2, height: 1, info: Self.info(.first))) == red)
        // As most desktops have their pixels: blue first.
        #expect(
            try drawn(
                image(
                    [30, 20, 10, 255, 60, 50, 40, 255], width: 2, height: 1,
                    info: Self.info(.premultipliedFirst, .byteOrder32Little))) == red)
        #expect(
            try drawn(image([10, 20, 30, 9, 40, 50, 60, 9], width: 2, height: 1, info: Self.info(.noneSkipLast)))
                == [2, 1, 3, 10, 20, 30, 40, 50, 60])
        #expect(
            try drawn(
                image(
                    [7, 8], width: 2, height: 1, bits: 8, space: CGColorSpaceCreateDeviceGray(), info: Self.info(.none))
            )
                == [2, 1, 1, 7, 8])
    }

    @Test("a multiplied colour is divided by its alpha, and a row's padding is skipped")
    func premultiplied() throws {
        #expect(
            try drawn(
                image(
                    [64, 32, 0, 128, 99, 99, 99, 99, 5, 5, 5, 0], width: 1, height: 2, row: 8,
                    info: Self.info(.premultipliedLast))) == [1, 2, 4, 128, 64, 0, 128, 0, 0, 0, 0])
    }

    @Test("a large picture with runs of every length is drawn bit for bit", arguments: [1, 3, 4])
    func large(components: Int) throws {
        let bits = components * 8
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        while bytes.count < 200 * 120 * components {
            bytes += Array(repeating: UInt8.random(in: 0...255, using: &generator), count: .random(in: 1...700))
        }
        let picture = image(
            bytes, width: 200, height: 120, bits: bits,
            space: components == 1 ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB(),
            info: Self.info(components == 4 ? .last : .none))
        #expect(try drawn(picture) == [200, 120, UInt8(components)] + bytes.prefix(200 * 120 * components))
        // Plain areas are small.
        let plain = image([UInt8](repeating: 9, count: 4_000_000), width: 1_000, height: 1_000, info: Self.info(.last))
        #expect(try #require(plain).encoded.count < 60_000)
    }

    @Test("what does not fit together is no picture")
    func refused() {
        #expect(image([0, 0, 0], width: 1, height: 1, info: Self.info(.last)) == nil)
        #expect(image([], width: 0, height: 1, info: Self.info(.last)) == nil)
        #expect(image([0, 0, 0, 0], width: Int.max, height: 1, row: 4, info: Self.info(.last)) == nil)
        #expect(image([0, 0, 0, 0], width: 1, height: Int.max, info: Self.info(.last)) == nil)
        #expect(image([0, 0, 0, 0], width: 1, height: 1, row: -4, info: Self.info(.last)) == nil)
        #expect(image([0, 0, 0, 0], width: 1, height: 1, info: Self.info(.alphaOnly)) == nil)
        #expect(image([0, 0, 0], width: 1, height: 1, bits: 24, info: Self.info(.last)) == nil)
        #expect(
            image([0], width: 1, height: 1, bits: 8, info: Self.info(.none)) == nil, "gray bits in a space of colours")
    }

    @Test("a file is kept as it is, and its size is read")
    func encoded() throws {
        let pixels = try #require(image([1, 2, 3, 255], width: 1, height: 1, info: Self.info(.last)))
        let file = try #require(CGDataProvider(data: pixels.encoded))
        let same = try #require(
            CGImage(pngDataProviderSource: file, decode: nil, shouldInterpolate: false, intent: .defaultIntent))
        #expect((same.width, same.height) == (1, 1) && same.encoded == pixels.encoded)
        #expect(
            CGImage(jpegDataProviderSource: file, decode: nil, shouldInterpolate: false, intent: .defaultIntent) == nil)
        let jpeg: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 17, 8, 0, 30, 0, 40, 3, 1, 0x22, 0, 2]
        let photograph = try #require(CGDataProvider(data: Data(jpeg)))
        let decoded = try #require(
            CGImage(jpegDataProviderSource: photograph, decode: nil, shouldInterpolate: false, intent: .defaultIntent))
        #expect((decoded.width, decoded.height) == (40, 30))
    }

    @Test("artwork is made of it, unless it is too large to be handed on")
    func artwork() throws {
        let small = try #require(image([1, 2, 3, 255], width: 1, height: 1, info: Self.info(.last)))
        _ = try ArtworkRepresentation(cgImage: small)
        // A file is handed on as it is, so this one needs no drawing.
        let file = try #require(CGDataProvider(data: small.encoded + Data(count: 16 << 20)))
        let large = try #require(
            CGImage(pngDataProviderSource: file, decode: nil, shouldInterpolate: false, intent: .defaultIntent))
        #expect(throws: ArtworkRepresentation.ArtworkRepresentationError.noRepresentationAvailable) {
            try ArtworkRepresentation(cgImage: large)
        }
    }
}

import Foundation
import HostInterface
import Testing

@testable import mdhost

/// The control sequences, read back as a terminal reads them.
struct PictureTextTests {
    /// Four coloured quarters.
    private static func quarters(_ side: Int) throws -> PixelPicture {
        let colours: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
        var bytes: [UInt8] = []
        for y in 0..<side {
            for x in 0..<side { bytes += colours[(y < side / 2 ? 0 : 2) + (x < side / 2 ? 0 : 1)] }
        }
        return try #require(PixelPicture(width: side, height: side, bytes: bytes))
    }

    @Test func kittyGetsAllPixelsInPieces() throws {
        let picture = try Self.quarters(64)
        let text = KittyPicture.text(picture, identifier: 9, columns: 6, rows: 3)
        let pieces = text.components(separatedBy: "\u{1B}\\").dropLast()
        #expect(pieces.count == 4)
        var data = ""
        for (index, piece) in pieces.enumerated() {
            #expect(piece.hasPrefix("\u{1B}_G"))
            let parts = piece.dropFirst(3).split(separator: ";", maxSplits: 1)
            let keys = Set(parts[0].split(separator: ",").map(String.init))
            #expect(keys.contains(index < 3 ? "m=1" : "m=0"))
            if index == 0 {
                #expect(keys.isSuperset(of: ["a=T", "f=24", "s=64", "v=64", "c=6", "r=3", "C=1", "i=9", "q=2"]))
            }
            #expect(parts[1].utf8.count <= 4096)
            data += parts[1]
        }
        #expect(Data(base64Encoded: data).map(Array.init) == picture.bytes)
    }

    /// A minimal reader of Sixel graphics.
    private static func pixels(_ text: String, _ picture: PixelPicture) throws -> [UInt8] {
        #expect(text.hasPrefix("\u{1B}P0;1;0q\"1;1;\(picture.width);\(picture.height)") && text.hasSuffix("\u{1B}\\"))
        let start = try #require(text.utf8.firstIndex(of: UInt8(ascii: "q")))
        var body = Array(text.utf8[start...].dropFirst().dropLast(2))[...]
        func numbers() -> [Int] {
            let end = body.firstIndex { !(48...57).contains($0) && $0 != UInt8(ascii: ";") } ?? body.endIndex
            defer { body = body[end...] }
            return String(decoding: body[..<end], as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        }
        var colours: [Int: [UInt8]] = [:]
        var image = [UInt8](repeating: 0, count: picture.bytes.count)
        var (x, top, colour, count) = (0, 0, 0, 1)
        while let byte = body.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): _ = numbers()
            case UInt8(ascii: "#"):
                let parts = numbers()
                colour = parts[0]
                if parts.count == 5 { colours[colour] = parts[2...].map { UInt8($0 * 255 / 100) } }
            case UInt8(ascii: "!"): count = numbers()[0]
            case UInt8(ascii: "$"): x = 0
            case UInt8(ascii: "-"): (x, top) = (0, top + 6)
            default:
                let bits = try #require((63...126).contains(byte) ? byte - 63 : nil)
                for _ in 0..<count {
                    for row in 0..<6 where bits >> UInt8(row) & 1 == 1 {
                        let place = ((top + row) * picture.width + x) * 3
                        image.replaceSubrange(place..<place + 3, with: try #require(colours[colour]))
                    }
                    x += 1
                }
                count = 1
            }
        }
        return image
    }

    @Test func sixelShowsFewColoursExactly() throws {
        let picture = try Self.quarters(50)
        let shown = try Self.pixels(SixelPicture.text(picture, colours: 16), picture)
        for (one, other) in zip(shown, picture.bytes) where abs(Int(one) - Int(other)) > 3 {
            Issue.record("\(one) instead of \(other)")
        }
    }

    @Test(arguments: [(16, 40.0), (256, 12.0)]) func sixelComesCloseToManyColours(colours: Int, error: Double) throws {
        let side = 96
        var bytes: [UInt8] = []
        for y in 0..<side {
            for x in 0..<side { bytes += [UInt8(x * 255 / side), UInt8(y * 255 / side), 128] }
        }
        let picture = try #require(PixelPicture(width: side, height: side, bytes: bytes))
        let text = SixelPicture.text(picture, colours: colours)
        let shown = try Self.pixels(text, picture)
        var sum = 0
        for (one, other) in zip(shown, bytes) { sum += abs(Int(one) - Int(other)) }
        #expect(Double(sum) / Double(bytes.count) < error)
        #expect(text.components(separatedBy: ";2;").count - 1 <= colours)
    }

    @Test func pixelPicturesAreRead() throws {
        let picture = try Self.quarters(20)
        #expect(PixelPicture(portablePixmap: picture.portablePixmap) == picture)
        for file in [
            "", "P6", "P6\n2 2\n255\nabc", "P6\n2 -2\n255\n", "P6\n0 0\n255\n", "P5\n1 1\n255\nabc",
            "P6\n1 1\n65535\nabc", "P6\n99999 99999\n255\nabc", "P6\n1 1 1\n255\nabc", "P6\n1 1\n255\nabcd",
        ] {
            #expect(PixelPicture(portablePixmap: Array(file.utf8)) == nil, "\(file)")
        }
        #expect(PixelPicture(portablePixmap: Array("P6\n1 1\n255\n\n\nc".utf8))?.bytes == [10, 10, 99])
    }
}

import Foundation
import Testing

@testable import QRCodes

struct QRCodeTests {
    @Test func theCorrectionIsReedSolomon() throws {
        let (version, codewords) = try #require(QRCodewords.make(Array("01234567".utf8)))
        #expect(version == 1 && codewords.count == 26)
        // A word with its code is zero at the first ten powers of 2.
        var power = 1
        for _ in 0..<10 {
            var value = 0
            for codeword in codewords { value = Self.product(value, power) ^ Int(codeword) }
            #expect(value == 0)
            power = Self.product(power, 2)
        }
    }

    private static func product(_ one: Int, _ other: Int) -> Int {
        var (product, one) = (0, one)
        for bit in 0..<8 {
            if other >> bit & 1 != 0 { product ^= one }
            one <<= 1
            if one > 255 { one ^= 0x11d }
        }
        return product
    }

    @Test(arguments: [(14, 21), (15, 25), (62, 33), (63, 37), (180, 53), (181, 57), (213, 57)])
    func theSmallestVersionIsTaken(bytes: Int, size: Int) {
        #expect(QRCode(String(repeating: "x", count: bytes))?.size == size)
    }

    @Test func moreThanFitsIsNone() { #expect(QRCode(String(repeating: "x", count: 214)) == nil) }

    @Test func pathAndTerminalShowTheSame() throws {
        let code = try #require(QRCode("http://10.77.0.4:8470/#enter=abc"))
        let dark = code.path.split(separator: "M").reduce(0) { sum, run in
            sum + (Int(run.split(separator: "h").dropFirst().first?.prefix { $0.isNumber } ?? "") ?? 0)
        }
        let modules = (0..<code.size).flatMap { y in (0..<code.size).map { code[$0, y] } }
        #expect(dark == modules.count { $0 } && dark > 0)
        #expect(code.terminalLines.count == (code.size + 9) / 2)
    }

    /// An independent reader reads it: zbarimg, of Debian's zbar-tools.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zbarimg"), "zbar-tools isn't installed"),
        arguments: [10, 44, 60, 84, 100, 120, 150, 175, 213])
    func anotherReaderReadsIt(length: Int) throws {
        let text = String(("http://[fd77::4]:8470/#enter=" + String(repeating: "aB3_", count: 60)).prefix(length))
        let code = try #require(QRCode(text))
        let (scale, side) = (4, code.size + 2 * QRCode.quietZone)
        let rows = (0..<side * scale).map { y in
            (0..<side * scale).map { x in
                code[x / scale - QRCode.quietZone, y / scale - QRCode.quietZone] ? "1" : "0"
            }.joined(separator: " ")
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pbm")
        try Data("P1 \(side * scale) \(side * scale)\n\(rows.joined(separator: "\n"))\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/zbarimg")
        process.arguments = ["--quiet", "--raw", "--oneshot", file.path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let read = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: read, as: UTF8.self) == text)
    }
}

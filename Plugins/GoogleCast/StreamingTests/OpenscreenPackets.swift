import Foundation
import Testing

/// Packets that another implementation of the protocol wrote.
enum OpenscreenPackets {
    static func named(_ name: String) throws -> [UInt8] {
        let file = try #require(Bundle.module.url(forResource: "Fixtures/openscreen", withExtension: "txt"))
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix(name + " ") }, "no packet \(name)")
        let digits = Array(line.dropFirst(name.count + 1)).compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

import DataChannels
import Foundation
import HostInterface
import Testing

struct DataFrameTests {
    private static let frames: [DataFrame] = [
        .message(Data("up".utf8)), .accepted, .message(Data()),
        .refused(HostError(.invalidArgument, "It is too blue.")),
        .message(Data(repeating: 7, count: 70_000)), .refused(HostError(.sessionFailed, "Two\nlines.")),
    ]

    @Test func theBytesAreThoseOfTheDescription() {
        #expect(DataFrame.message(Data("up".utf8)).bytes == [0, 0, 0, 0, 2, 0, 0, 0, 117, 112])
        #expect(DataFrame.accepted.bytes == [1, 0, 0, 0, 0, 0, 0, 0])
        #expect(
            DataFrame.refused(HostError(.cancelled, "No.")).bytes
                == [2, 0, 0, 0, 13, 0, 0, 0] + Array("cancelled\nNo.".utf8))
    }

    @Test(arguments: [1, 3, 8, 9, 4096, 1 << 20])
    func piecesOfAnySizeAreRead(size: Int) throws {
        var reader = DataFrameReader(longest: 70_000)
        var rest = Self.frames.flatMap(\.bytes)[...]
        var read: [DataFrame] = []
        while !rest.isEmpty {
            reader.append(rest.prefix(size))
            rest = rest.dropFirst(size)
            while let frame = try reader.next() { read.append(frame) }
        }
        #expect(read == Self.frames)
    }

    @Test func aFrameThatIsTooLongIsRefusedByItsHeader() {
        var reader = DataFrameReader(longest: 10)
        reader.append(DataFrame.message(Data(count: 11)).bytes.prefix(8))
        #expect(throws: MalformedFrame("it has 11 bytes, more than 10")) { _ = try reader.next() }
    }

    @Test func anUnknownKindIsRefused() {
        var reader = DataFrameReader(longest: 10)
        reader.append([3, 0, 0, 0, 0, 0, 0, 0])
        #expect(throws: MalformedFrame("it has the kind 3")) { _ = try reader.next() }
    }

    @Test(arguments: ["", "cancelled", "no code\nIt is.", "cancelled\n" + String(repeating: "x", count: 4097)])
    func aRefusalWithoutCodeAndSentenceIsNone(text: String) {
        var reader = DataFrameReader(longest: 10_000)
        reader.append(
            [2, 0, 0, 0] + withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { Array($0) } + text.utf8)
        #expect(throws: MalformedFrame.self) { _ = try reader.next() }
    }

    @Test func aLongReasonIsShortened() throws {
        var reader = DataFrameReader(longest: 10_000)
        reader.append(DataFrame.refused(HostError(.cancelled, String(repeating: "👩‍👩‍👧‍👦", count: 1000))).bytes)
        let frame = try reader.next()
        guard case .refused(let error)? = frame else {
            Issue.record("no refusal: \(String(describing: frame))")
            return
        }
        #expect(error.code == .cancelled && error.message.hasPrefix("👩‍👩‍👧‍👦"))
    }

    /// Terminals show it.
    @Test func aRefusalKeepsNoControlCharacters() throws {
        var reader = DataFrameReader(longest: 10_000)
        reader.append(DataFrame.refused(HostError(.cancelled, "\u{1B}[2JNo.")).bytes)
        let frame = try reader.next()
        #expect(frame == .refused(HostError(.cancelled, " [2JNo.")))
    }
}

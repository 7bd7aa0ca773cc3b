import AirPlayPairing
import Foundation
import Testing

@testable import AirPlayProtocol

struct ReceiverPropertyListTests {
    /// `{"A": set(1)}`: 36 bytes of trailer and table behind four objects.
    private static let set: [UInt8] =
        Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x41, 0xC1, 3, 0x10, 1] + [8, 11, 13, 15]
        + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 4] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 17]

    @Test func readsEveryForm() throws {
        let values: [String: Any] = ["a": 1, "b": Data([2]), "c": ["d": [true, "e"]]]
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let data = try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
            let read = try #require(ReceiverPropertyList.dictionary(Array(data)))
            #expect(NSDictionary(dictionary: read) == NSDictionary(dictionary: values))
        }
    }

    @Test func aSetIsRefusedByAllThatRead() {
        #expect(ReceiverPropertyList.dictionary(Self.set) == nil)
        #expect(throws: AirPlayError.self) { _ = try PlaybackInformation(Self.set) }
        #expect(throws: PairingError.self) { _ = try PairingPropertyList(Self.set) }
    }

    /// The same list with a string in the set's place is read, so it was the set that was refused.
    @Test func whatIsWrittenLikeItWithoutASetIsRead() {
        var bytes = Self.set
        bytes[13] = 0x51
        #expect(ReceiverPropertyList.dictionary(bytes)?["A"] as? String == "\u{3}")
    }

    @Test(arguments: [6, 15, 31]) func aTrailerThatPointsOutsideIsRefused(place: Int) {
        var bytes = Self.set
        bytes[bytes.count - 32 + place] = 0xFF
        #expect(ReceiverPropertyList.dictionary(bytes) == nil)
        #expect(ReceiverPropertyList.dictionary(Array(bytes.prefix(20))) == nil)
    }
}

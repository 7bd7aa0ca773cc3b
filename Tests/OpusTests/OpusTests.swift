import Opus
import Testing

@Suite struct OpusTests {
    @Test func aPacketIsDecodedToItsLength() throws {
        let encoder = try OpusEncoder()
        let decoder = try OpusDecoder()
        let packet = try encoder.encode([Int16](repeating: 0, count: 1920))
        #expect(try decoder.decode(packet).count == 1920 && decoder.conceal(frames: 960).count == 1920)
    }

    @Test func errorsAreThrown() throws {
        let encoder = try OpusEncoder()
        let decoder = try OpusDecoder()
        #expect(throws: OpusError.self) { try encoder.encode([1, 2, 3, 4]) }
        #expect(throws: OpusError.self) { try decoder.decode([0xFF, 0xFF]) }
    }
}

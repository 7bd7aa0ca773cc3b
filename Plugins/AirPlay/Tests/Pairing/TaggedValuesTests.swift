import Testing

@testable import AirPlayPairing

struct TaggedValuesTests {
    @Test(arguments: [0, 1, 254, 255, 256, 510, 511, 1000]) func longValuesComeInPieces(length: Int) throws {
        let value = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let values = TaggedValues([(.publicKey, value), (.state, [3])])
        let encoded = values.encoded
        #expect(encoded.count == length + 2 * max(1, (length + 254) / 255) + 3)
        let read = try TaggedValues(encoded)
        #expect(read[.publicKey] == value && read[.state] == [3] && read[.salt] == nil)
    }

    @Test func shortPiecesOfOneTagAreTwoValues() throws {
        let read = try TaggedValues([1, 1, 7, 1, 1, 8])
        #expect(read.items == [.init(1, [7]), .init(1, [8])])
    }

    /// One of full pieces alone would go on with the next; found by the search for inputs that break a rule.
    @Test(arguments: [255, 510]) func aFullValueIsNotJoinedWithTheNextOfItsTag(length: Int) throws {
        let full = TaggedValues.Item(7, [UInt8](repeating: 7, count: length))
        let values = TaggedValues([full, .init(7, [8, 9])])
        #expect(try TaggedValues(values.encoded) == values)
        // Other values need none of that.
        #expect(TaggedValues([full, .init(6, [1])]).encoded.count == length + 2 * length / 255 + 3)
    }

    @Test(arguments: [[1], [1, 2, 0], [6, 1, 1, 3, 255]] as [[UInt8]]) func whatIsCutOffIsAnError(_ message: [UInt8]) {
        #expect(throws: PairingError.self) { _ = try TaggedValues(message) }
    }

    @Test func tooLongIsAnError() {
        #expect(throws: PairingError.self) {
            _ = try TaggedValues([UInt8](repeating: 0, count: TaggedValues.limit + 2))
        }
    }

    /// Any input is read or refused, and the values read are written unchanged except for the cuts.
    @Test(arguments: [UInt64](1...4)) func survivesAnything(seed: UInt64) {
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var readable = 0
        for _ in 0..<3000 {
            var message: [UInt8] = []
            for _ in 0..<random(4) {
                let length = [0, 1, 3, 255][random(4)]
                message += [UInt8(random(20)), UInt8(length)] + (0..<length).map { _ in UInt8(random(256)) }
            }
            for _ in 0..<random(3) where !message.isEmpty { message[random(message.count)] = UInt8(random(256)) }
            guard let values = try? TaggedValues(message) else { continue }
            readable += 1
            #expect(values.items.reduce(0) { $0 + $1.value.count } <= message.count)
            #expect((try? TaggedValues(values.encoded))?.encoded == values.encoded)
        }
        #expect(readable > 100)
    }
}

import DBus
import Foundation
import Testing

private struct Everything: Codable, Equatable {
    enum Color: String, Codable { case red, green }
    enum Level: Int, Codable { case low = 1, high }
    enum Choice: Codable, Equatable {
        case nothing
        case text(String)
        case pair(first: Int, second: Inner?)
    }
    struct Inner: Codable, Equatable {
        var name: String
        var note: String?
    }

    var flag = true
    var signed = Int.min
    var widths: [Int64] = [Int64(Int8.min), 0, .max]
    var narrow: Int8 = -1
    var short: UInt16 = .max
    var word: UInt32 = .max
    var long: UInt64 = .max
    var real = -0.25
    var single: Float = 0.5
    var text = "ü"
    var nothing: String?
    var something: Int? = 7
    var data = Data([0, 255])
    var bytes: [UInt8] = [1, 2]
    var color = Color.green
    var level = Level.high
    var choice = Choice.pair(first: 1, second: Inner(name: "b"))
    var inner = Inner(name: "a", note: "n")
    var optionalInner: Inner?
    var inners = [Inner(name: "x"), Inner(name: "y", note: "z")]
    var noInners: [Inner] = []
    var nested = [["a"], [], ["b", "c"]]
    var names = ["k": "v"]
    var counts = ["k": 1]
    var blobs = ["k": Data([1])]
    var tree = ["k": Inner(name: "t")]
    var optionals: [String: Int?] = ["a": 1, "b": nil]
    var empty: [String: String] = [:]
    var link = URL(string: "http://127.0.0.1:1/a%20b")
    var identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var when = Date(timeIntervalSinceReferenceDate: 1.5)
}

@Suite("Structures as dictionaries", .timeLimit(.minutes(1)))
struct DictionaryCoderTests {
    private let encoder = DBusDictionaryEncoder()
    private let decoder = DBusDictionaryDecoder()

    @Test func everythingComesBackEqual() throws {
        var value = Everything()
        #expect(try decoder.decode(Everything.self, from: encoder.encode(value)) == value.without("b"))
        value.choice = .text("t")
        value.optionalInner = .init(name: "o")
        value.nothing = ""
        #expect(try decoder.decode(Everything.self, from: encoder.encode(value)) == value.without("b"))
        value.choice = .nothing
        #expect(try decoder.decode(Everything.self, from: encoder.encode(value)) == value.without("b"))
    }

    @Test func everythingComesBackEqualOverAConnection() async throws {
        let value = Everything()
        let link = try await Link(.pair)
        let reply = try await link.call("EchoAny", [.variant(encoder.encode(value))])
        #expect(try decoder.decode(Everything.self, from: #require(reply.first)) == value.without("b"))
        await link.close()
    }

    @Test func theShapeOnTheWireIsTyped() throws {
        let encoded = try encoder.encode(Everything())
        #expect(encoded.signature == "a{sv}")
        let signatures = encoded.asDictionary?.mapValues(\.signature)
        let expected = [
            "flag": "b", "signed": "x", "widths": "ax", "narrow": "n", "short": "q", "word": "u", "long": "t",
            "real": "d", "single": "d", "text": "s", "something": "x", "data": "ay", "bytes": "ay", "color": "s",
            "level": "x", "choice": "a{sv}", "inner": "a{sv}", "inners": "aa{sv}", "noInners": "av",
            // Its middle element is empty and so of another type than its neighbours.
            "nested": "av", "names": "a{ss}", "counts": "a{sx}", "blobs": "a{say}", "tree": "a{sa{sv}}",
            "optionals": "a{sx}", "empty": "a{sv}", "link": "s", "identifier": "s", "when": "d",
        ]
        #expect(signatures == expected)
    }

    @Test func absentOptionalsAreLeftOut() throws {
        let keys = try encoder.encode(Everything.Inner(name: "a")).asDictionary?.keys.sorted()
        #expect(keys == ["name"])
    }

    @Test func anyIntegerTypeThatFitsIsTaken() throws {
        struct Numbers: Codable, Equatable {
            var small: Int8
            var count: Int
            var real: Double
        }
        let values: [DBusValue] = [.byte(5), .int16(5), .uint16(5), .int32(5), .uint32(5), .int64(5), .uint64(5)]
        for value in values {
            let dictionary = DBusValue.properties(["small": value, "count": value, "real": value, "unknown": value])
            #expect(try decoder.decode(Numbers.self, from: dictionary) == Numbers(small: 5, count: 5, real: 5))
        }
    }

    @Test(arguments: [
        ("name", DBusValue.properties([:]), "name: is missing"),
        ("name", .properties(["name": .int32(1)]), "name: expected s, found i"),
        ("note", .properties(["name": .string(""), "note": .boolean(true)]), "note: expected s, found b"),
        ("", .string("x"), "the value: expected a dictionary, found s"),
    ])
    func errorsNameTheKey(key: String, value: DBusValue, message: String) {
        #expect(throws: DBusError(name: DBusError.Name.invalidArguments, message: message)) {
            try decoder.decode(Everything.Inner.self, from: value)
        }
    }

    @Test func errorsNameThePathToTheKey() throws {
        struct Outer: Codable { var inners: [Everything.Inner] }
        struct Narrow: Codable { var level: Int8 }
        struct Colored: Codable { var colors: [String: Everything.Color] }
        let inners = DBusValue.array(
            of: "a{sv}", [.properties(["name": .string("a")]), .properties(["name": .byte(1)])])
        let deep = #expect(throws: DBusError.self) {
            try decoder.decode(Outer.self, from: .properties(["inners": inners]))
        }
        #expect(deep?.message == "inners.1.name: expected s, found y")
        let range = #expect(throws: DBusError.self) {
            try decoder.decode(Narrow.self, from: .properties(["level": .int64(128)]))
        }
        #expect(range?.message.hasPrefix("level: ") == true && range?.message.contains("range") == true)
        let raw = #expect(throws: DBusError.self) {
            try decoder.decode(Colored.self, from: .properties(["colors": .properties(["a": .string("blue")])]))
        }
        #expect(raw?.name == DBusError.Name.invalidArguments)
        #expect(raw?.message.hasPrefix("colors.a: ") == true)
    }

    @Test func whatHasNoPlaceIsRefused() {
        struct Holes: Encodable { var values: [Int?] }
        for attempt in [
            { try encoder.encode(Holes(values: [1, nil])) }, { try encoder.encode("text") },
            { try encoder.encode([1]) },
        ] {
            let error = #expect(throws: DBusError.self) { try attempt() }
            #expect(error?.name == DBusError.Name.invalidArguments)
        }
    }

    @Test func arraysAndDictionariesStandAlone() throws {
        #expect(try encoder.encodeValue(["a", "b"]) == .strings(["a", "b"]))
        #expect(try encoder.encodeValue([Everything.Inner(name: "a")]).signature == "aa{sv}")
        #expect(try encoder.encode(["a": 1]) == .properties(["a": .int64(1)]))
        #expect(try decoder.decode([String: Int].self, from: .properties(["a": .byte(1)])) == ["a": 1])
        #expect(try decoder.decode([Double].self, from: .array(of: "v", [.variant(.double(1))])) == [1])
    }

    /// Random values under the right keys: each decodes or throws, and a decoded value can be encoded again.
    @Test func noValueCrashesTheDecoder() throws {
        var random = SplitMix(state: 42)
        let template = try #require(try encoder.encode(Everything()).asDictionary)
        var decoded = 0
        for _ in 0..<3000 {
            var entries = template
            for key in template.keys.sorted() where Int.random(in: 0..<12, using: &random) == 0 {
                entries[key] = Bool.random(using: &random) ? nil : .random(depth: 4, using: &random)
            }
            do throws(DBusError) {
                let value = try decoder.decode(Everything.self, from: .properties(entries))
                _ = try encoder.encode(value)
                decoded += 1
            } catch {
                #expect(error.name == DBusError.Name.invalidArguments)
            }
        }
        // Both outcomes were seen.
        #expect(decoded > 0 && decoded < 3000)
    }
}

extension Everything {
    /// A dictionary entry without a value does not travel.
    fileprivate func without(_ key: String) -> Everything {
        var copy = self
        copy.optionals[key] = nil
        return copy
    }
}

/// A small generator with a seed, so that a failure comes again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension DBusValue {
    static func random(depth: Int, using generator: inout SplitMix) -> DBusValue {
        let keys = ["name", "note", "k", "first", "text", "_0", "nothing", "pair"]
        switch Int.random(in: 0..<(depth > 0 ? 13 : 8), using: &generator) {
        case 0: return .byte(.random(in: 0...255, using: &generator))
        case 1: return .boolean(.random(using: &generator))
        case 2: return .int64(.random(in: .min ... .max, using: &generator))
        case 3: return .uint64(.random(in: .min ... .max, using: &generator))
        case 4: return .double(Double(bitPattern: .random(in: .min ... .max, using: &generator)))
        case 5: return .string(["", "red", "http://[", "x"].randomElement(using: &generator) ?? "")
        case 6: return .bytes([UInt8](repeating: 1, count: .random(in: 0..<4, using: &generator)))
        case 7: return .int32(.random(in: -2...2, using: &generator))
        case 8: return .variant(.random(depth: depth - 1, using: &generator))
        case 9, 10:
            let count = Int.random(in: 0..<4, using: &generator)
            return .array(of: "v", (0..<count).map { _ in .variant(.random(depth: depth - 1, using: &generator)) })
        case 11: return .structure([.random(depth: depth - 1, using: &generator)])
        default:
            var entries: [String: DBusValue] = [:]
            for _ in 0..<Int.random(in: 0..<5, using: &generator) {
                let key = keys.randomElement(using: &generator) ?? ""
                entries[key] = .random(depth: depth - 1, using: &generator)
            }
            return .properties(entries)
        }
    }
}

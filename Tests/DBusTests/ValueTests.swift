import DBus
import Foundation
import Glibc
import TestConditions
import Testing

@Suite("Values", .timeLimit(.minutes(1)))
struct ValueTests {
    static let samples: [DBusValue] = [
        .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
        .int64(.min), .uint64(.max), .double(-0.5), .double(.infinity), .string(""), .string("ünï\u{1F3B5}"),
        .objectPath("/"), .signature("a{sv}"), .bytes([]), .bytes([0, 255]), .array(of: "s", []),
        .array(of: "ai", [.array(of: "i", [.int32(1)]), .array(of: "i", [])]),
        .structure([.int32(1), .structure([.string("x"), .variant(.byte(1))])]),
        .dictionary(key: "s", value: "v", ["a": .variant(.int32(1)), "b": .variant(.bytes([1]))].asEntries),
        .dictionary(key: "i", value: "as", [.int32(1): .strings(["a"]), .int32(2): .strings([])]),
        .dictionary(key: "s", value: "v", [:]), .array(of: "a{sv}", [.properties(["x": .double(1)])]),
        .variant(.variant(.string("deep"))),
    ]

    @Test(arguments: Transport.available)
    func everyTypeComesBackEqual(over transport: Transport) async throws {
        let link = try await Link(transport)
        for sample in Self.samples {
            #expect(try await link.call("EchoAny", [.variant(sample)]) == [.variant(sample)])
        }
        await link.close()
    }

    /// D-Bus can't carry it, and the other values of a message that has one must arrive.
    @Test func aNULArrivesAsAReplacementCharacter() async throws {
        let link = try await Link(.pair)
        let sent = DBusValue.structure([.string("a\0b"), .int32(1)])
        let arrived = DBusValue.structure([.string("a\u{FFFD}b"), .int32(1)])
        #expect(try await link.call("EchoAny", [.variant(sent)]) == [.variant(arrived)])
        await link.close()
    }

    @Test func aMegabyteComesBackEqual() async throws {
        let link = try await Link(.pair)
        let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try await link.call("EchoAny", [.variant(.bytes(bytes))]).first?.asBytes == bytes)
        await link.close()
    }

    @Test(arguments: Transport.available)
    func aDescriptorArrivesAsOneOfTheReceiver(over transport: Transport) async throws {
        let link = try await Link(transport)
        let (first, second) = try socketPair()
        let reply = try await link.call("EchoAny", [.variant(.fileDescriptor(DBusDescriptor(sending: first)))])
        let received = try #require(reply.first?.unwrapped.asFileDescriptor)
        #expect(received.number != first)
        #expect(inode(received.number) == inode(first))
        #expect(write(received.number, "x", 1) == 1)
        var byte: UInt8 = 0
        #expect(read(second, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
        for descriptor in [first, second] { close(descriptor) }
        await link.close()
    }

    /// A peer could otherwise use up all descriptors of the process.
    @Test(arguments: Transport.available)
    func descriptorsNobodyAskedForAreClosed(over transport: Transport) async throws {
        let link = try await Link(transport)
        let (first, second) = try socketPair()
        let number = inode(first)
        let several = DBusValue.properties(["a": .fileDescriptor(DBusDescriptor(sending: first))])
        _ = try await link.call("EchoAny", [.variant(.structure([several, .string("b")]))])
        // An argument of another type than the method takes.
        await #expect(throws: DBusError.self) {
            try await link.call("Echo", [.fileDescriptor(DBusDescriptor(sending: first))])
        }
        close(first)
        await eventually("a closed socket") { !openSockets().contains(number) }
        close(second)
        await link.close()
    }

    @Test func readingStripsVariantsAndWidths() {
        #expect(DBusValue.variant(.variant(.uint16(7))).asInt64 == 7)
        #expect(DBusValue.uint64(.max).asInt64 == nil)
        #expect(DBusValue.int64(-1).asUInt64 == nil)
        #expect(DBusValue.byte(3).asDouble == 3)
        #expect(DBusValue.string("1").asInt64 == nil)
        #expect(DBusValue.boolean(true).asInt64 == nil)
        #expect(DBusValue.properties(["a": .string("b")]).asDictionary == ["a": .string("b")])
        #expect(DBusValue.strings(["a"]).asArray == [.string("a")])
        #expect(DBusValue.array(of: "v", []).asBytes == [])
        #expect(DBusValue.strings(["a"]).asBytes == nil)
    }

    @Test func signaturesAreThoseOfTheSpecification() {
        #expect(
            DBusValue.structure([.bytes([]), .array(of: "(is)", []), .properties([:]), .variant(.byte(0))]).signature
                == "(aya(is)a{sv}v)")
    }
}

extension [String: DBusValue] {
    fileprivate var asEntries: [DBusValue: DBusValue] {
        Dictionary<DBusValue, DBusValue>(uniqueKeysWithValues: map { (.string($0.key), $0.value) })
    }
}

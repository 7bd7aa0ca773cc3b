import DeviceDiscovery
import Testing

extension NWTXTRecord {
    /// The record with one more entry; `nil` if it does not fit.
    fileprivate func with(_ entry: Entry, for key: String) -> NWTXTRecord? {
        var copy = self
        return copy.setEntry(entry, for: key) ? copy : nil
    }
}

@Suite struct NWTXTRecordTests {
    @Test func keysIgnoreCase() {
        var record = NWTXTRecord(["Model": "One", "empty": ""])
        #expect(record["model"] == "One" && record["EMPTY"] == "" && record["other"] == nil)
        #expect(record.getEntry(for: "empty") == .empty)
        record["MODEL"] = "Two"
        #expect(record.count == 2 && record["Model"] == "Two")
        record["model"] = nil
        #expect(record.count == 1 && record.getEntry(for: "Model") == nil)
        let wasThere = record.removeEntry(key: "model")
        #expect(!wasThere)
    }

    @Test func wireForm() throws {
        #expect(NWTXTRecord().data == Data([0]))
        let record = try #require(
            NWTXTRecord().with(.string("1"), for: "v")?.with(.none, for: "flag")?.with(.empty, for: "e")?
                .with(.data(Data([0xFF, 0])), for: "d"))
        let wire = Data("\u{3}v=1\u{4}flag\u{2}e=\u{4}d=".utf8) + Data([0xFF, 0])
        #expect(record.data == wire)
        let again = try #require(NWTXTRecord(wire))
        #expect(again == record && again.hashValue == record.hashValue && again.map(\.key) == ["v", "flag", "e", "d"])
        #expect(again.dictionary == ["v": "1", "flag": "", "e": ""] && again["d"] == nil)
    }

    @Test func oddStringsArePassedOver() throws {
        let wire = Data("\u{0}\u{3}=no\u{3}A=1\u{3}a=2\u{4}\u{7}b=x\u{5}c=x=y".utf8)
        let record = try #require(NWTXTRecord(wire))
        #expect(record.dictionary == ["A": "1", "c": "x=y"])
        #expect(NWTXTRecord(Data())?.isEmpty == true && NWTXTRecord(Data([0]))?.isEmpty == true)
    }

    @Test func aStringBeyondTheEndIsMalformed() {
        #expect(NWTXTRecord(Data([5, 0x61])) == nil && NWTXTRecord(Data([255])) == nil)
    }

    @Test func slicesAreReadFromTheirOwnStart() {
        let data = Data("xxxx\u{3}v=1".utf8)
        #expect(NWTXTRecord(data.dropFirst(4))?["v"] == "1")
    }

    @Test(arguments: ["", "a=b", "ä", "a\n", "\u{7F}"]) func keysArePrintableASCII(key: String) {
        #expect(NWTXTRecord().with(.none, for: key) == nil)
    }

    @Test func limits() throws {
        var record = try #require(NWTXTRecord().with(.string(String(repeating: "x", count: 253)), for: "k"))
        #expect(record.with(.string(String(repeating: "x", count: 254)), for: "k") == nil)
        #expect(record["k"]?.count == 253 && record.data.count == 256)
        record["k"] = String(repeating: "y", count: 300)
        #expect(record["k"]?.first == "x")
        let full = (0..<1_000).reduce(into: NWTXTRecord()) { record, number in
            _ = record.setEntry(.string(String(repeating: "z", count: 200)), for: "key\(number)")
        }
        #expect(full.data.count <= 65_535 && full.data.count > 65_000)
        #expect(NWTXTRecord(full.data) == full && NWTXTRecord(full.data + Data(count: 1_000)) == nil)
    }

    @Test func sizeFollowsChanges() {
        var record = NWTXTRecord()
        for round in 0..<2_000 {
            let value = NWTXTRecord.Entry.string(String(repeating: "x", count: round % 200 + 1))
            let fits = record.setEntry(value, for: "k\(round % 50)")
            #expect(fits)
            if round % 7 == 0 { _ = record.removeEntry(key: "K\(round % 50)") }
        }
        #expect(NWTXTRecord(record.data) == record)
    }

    @Test func hostileRecordsAreReadInTimeAndNeverTrap() {
        var many = Data()
        for number in 0..<20_000 {
            many.append(contentsOf: [2, UInt8(0x30 + number % 70), UInt8(0x30 + number / 70 % 70)])
        }
        #expect((NWTXTRecord(many)?.count ?? 0) > 2_000)
        for _ in 0..<2_000 {
            let bytes = Data((0..<Int.random(in: 0...60)).map { _ in UInt8.random(in: 0...40) })
            if let record = NWTXTRecord(bytes) { #expect(NWTXTRecord(record.data) == record) }
        }
    }

    @Test func orderDoesNotMatter() {
        let first = NWTXTRecord().with(.none, for: "a")?.with(.empty, for: "b")
        let second = NWTXTRecord().with(.empty, for: "B")?.with(.none, for: "A")
        #expect(first != nil && first == second && first?.hashValue == second?.hashValue)
        #expect(first != second?.with(.empty, for: "A"))
    }
}

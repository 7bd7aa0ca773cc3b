import CoreBluetooth
import Foundation
import Testing

@Suite struct CBUUIDTests {
    @Test(arguments: [
        ("180F", "180F"), ("180f", "180F"), ("0000180F", "180F"), ("0000180f-0000-1000-8000-00805f9b34fb", "180F"),
        ("12345678", "12345678"), ("12345678-0000-1000-8000-00805F9B34FB", "12345678"),
        ("8e7f0001-5a3c-4d2b-9c1e-6d64686f7374", "8E7F0001-5A3C-4D2B-9C1E-6D64686F7374"),
        ("0000180F-0000-1000-8000-00805F9B34FC", "0000180F-0000-1000-8000-00805F9B34FC"),
    ])
    func itsShortestFormIsShown(text: String, shown: String) {
        #expect(CBUUID(string: text).uuidString == shown)
        #expect(CBUUID(validating: text)?.description == shown)
    }

    @Test(arguments: [
        "", "18", "180", "180G", "+180", "180F0", "0000180F00001000800000805F9B34FB",
        "8E7F0001-5A3C-4D2B-9C1E-6D64686F737", "8E7F0001x5A3C-4D2B-9C1E-6D64686F7374", "18é",
    ])
    func whatIsNone(text: String) {
        #expect(CBUUID(validating: text) == nil)
    }

    @Test func allFormsAreEqual() {
        let forms = [
            CBUUID(string: "180F"), CBUUID(data: Data([0x18, 0x0F])), CBUUID(data: Data([0, 0, 0x18, 0x0F])),
            CBUUID(nsuuid: UUID(uuidString: "0000180F-0000-1000-8000-00805F9B34FB") ?? UUID()),
        ]
        #expect(Set(forms).count == 1)
        #expect(forms[3].data == Data([0x18, 0x0F]))
        #expect(CBUUID(string: "180F") != CBUUID(string: "180A"))
    }

    /// Also of data that is a part of other data, whose first index is not 0.
    @Test func theBytesAreThoseOfAnyData() {
        let part = Data([9, 9, 0x2A, 0x19, 9])[2..<4]
        #expect(CBUUID(data: part) == CBUUID(string: "2A19"))
        let long = CBUUID(string: "8E7F0001-5A3C-4D2B-9C1E-6D64686F7374")
        #expect(long.data.count == 16)
        #expect(CBUUID(data: long.data) == long)
    }
}

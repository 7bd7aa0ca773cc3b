import Testing

extension Scenario {
    /// `mdhost doctor` with working Bluetooth, and without.
    static let doctor = Scenario(name: "doctor") { outcome in
        func findings(_ moment: String) -> [String] {
            outcome.lines.filter { $0.hasPrefix(moment + ": ") }.map { String($0.dropFirst(moment.count + 2)) }
        }
        #expect(findings("working").allSatisfy { $0.hasPrefix("bluetooth hci") })
        #expect(findings("working").count == 3)
        #expect(findings("blocked").contains { $0.hasPrefix("bluetooth-blocked hci0 ") })
        #expect(findings("off").contains { $0.hasPrefix("bluetooth-off hci0 ") })
        #expect(findings("without").contains { $0.hasPrefix("no-bluetoothd ") })
        #expect(!findings("again").contains { $0.hasPrefix("no-bluetoothd") })
    }
}

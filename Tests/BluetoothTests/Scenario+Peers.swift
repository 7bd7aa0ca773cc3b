import Testing

extension Scenario {
    /// Bumble's devices, as bluetoothctl sees them.
    static let peers = Scenario(name: "peers") { outcome in
        #expect(outcome.value("lamp") == "F0:F1:F2:F3:F4:F1")
        #expect(outcome.value("speaker") == "00:AA:01:02:00:02")
        #expect(outcome.value("lamp Name") == "Bumble Lamp")
        #expect(outcome.value("speaker Name") == "Bumble Speaker")
        #expect(outcome.value("speaker Class") == "0x00240414")
        #expect(outcome.lines.contains { $0.hasPrefix("lamp UUID: Battery Service") })
        #expect(outcome.value("battery") == "0x40 (64)")
    }
}

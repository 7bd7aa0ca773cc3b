import Testing

extension Scenario {
    /// An extension that is written with `CoreBluetooth` alone, with an independent peripheral.
    static let lamp = Scenario(name: "lamp") { outcome in
        #expect(outcome.value("connected") == "\"event\": \"connected\"")
        #expect(outcome.value("subscription") == "\"notifies\": true")
        // 10 and 128 of 255.
        #expect(outcome.value("read")?.hasPrefix("0.039") == true)
        #expect(outcome.value("notified")?.hasPrefix("0.50") == true)
    }
}

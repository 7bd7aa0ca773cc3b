import Testing

extension Scenario {
    /// An extension that is written with `CoreBluetooth` alone, with an independent peripheral.
    static let lamp = Scenario(name: "lamp") { outcome in
        #expect(outcome.value("connected") == "\"event\": \"connected\"")
        #expect(outcome.value("subscription") == "\"notifies\": true")
        // 10 and 128 of 255.
        #expect(outcome.value("read")?.hasPrefix("0.039") == true)
        #expect(outcome.value("notified")?.hasPrefix("0.50") == true)
        // As many as a packet of the negotiated MTU takes, which is more than of the smallest.
        let length = outcome.value("length")?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        #expect(length > 20)
        #expect(outcome.value("blinked") == "\"value\": \"\(String(repeating: "01", count: length))\"")
        #expect(outcome.value("changed") == "changed its services, 0 of the known are gone")
        #expect(
            outcome.value("refused")
                == "no channel: The device refused the channel: it doesn't offer it, or has to be paired first.")
        #expect(outcome.value("channel") == "channel 241 is open")
        // Twenty packets of the peer.
        #expect(outcome.value("echo") == "a program of 5000 levels came back, unchanged")
        #expect(outcome.value("closed") == "1, 1")
        #expect(outcome.value("again") == "2")
        #expect(outcome.value("vanished") == "2")
        #expect(outcome.value("read anew")?.hasPrefix("0.25") == true)
    }
}

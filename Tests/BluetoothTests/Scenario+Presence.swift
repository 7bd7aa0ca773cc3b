import Testing

extension Scenario {
    /// The listed state of a loudspeaker that is switched off and on (docs/discovery.md).
    static let presence = Scenario(name: "presence") { outcome in
        for event in ["unpaired-ready", "unpaired-gone", "unpaired-back"] {
            let seconds = try #require(Int(outcome[event]), "\(event): \(outcome.lines)")
            print("PRESENCE | Bluetooth | \(event) | \(seconds) s |")
            #expect(seconds < 999, "\(event)")
        }
        #expect(outcome.value("paired") == "0 Paired with Bumble Speaker. ")
        #expect(["remembered", "absent"].contains(outcome["unwatched-off"]), "paired, switched off, and nobody looked")
    }
}

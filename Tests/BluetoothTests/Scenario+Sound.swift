import Testing

extension Scenario {
    /// Sound that a real PulseAudio carries to a loudspeaker of another stack, decoded back.
    static let sound = Scenario(name: "sound") { outcome in
        #expect(outcome.value("paired") == "0 Paired with Bumble Speaker. ")
        #expect(outcome.value("headless")?.hasPrefix("1 mdhost: No sound server of this machine takes part") == true)
        for way in ["played", "streamed"] {
            #expect(outcome.value(way)?.hasPrefix("0 ") == true)
            let received = try ReceivedSound(base64: outcome[way + "-sound"])
            // A busy computer may leave a gap; nothing may be missing, doubled or in another order.
            let comparison = received.compared(seconds: 4)
            let heard = received.audibleSeconds - comparison.gapSeconds
            #expect((3.9...4.1).contains(heard), "\(way): \(received.audibleSeconds) s, gaps \(comparison.gaps)")
            #expect(comparison.share > 0.85 && comparison.typical > 0.98, "\(way): \(comparison)")
        }
        // The daemon sends it at its own speed, and an emulated processor may be slower: what is heard begins as the signal
        // does, and all of it comes.
        #expect(outcome.value("live")?.hasPrefix("0 ") == true)
        let live = try ReceivedSound(base64: outcome["live-sound"])
        let first = try #require(live.compared(seconds: 0.25).likeness.first)
        #expect(min(first.left, first.right) > 0.95, "\(first)")
        #expect(live.audibleSeconds > 3.9)
    }
}

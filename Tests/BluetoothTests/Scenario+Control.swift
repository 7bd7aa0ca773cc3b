import Testing

extension Scenario {
    /// Level, keys and metadata, between BlueZ's AVRCP and another stack's.
    static let control = Scenario(name: "control") { outcome in
        #expect(outcome["paired"] == "0 Paired with Bumble Speaker. ")
        #expect(outcome["played"].hasPrefix("0 Playing on Bumble Speaker"))
        // 30 % of 127.
        #expect(outcome["level-set"].contains("\"level\": 38"))
        // 100 of 127.
        #expect(outcome["level-of-speaker"].hasPrefix("0.787"))
        for fact in ["PlayStatus.PLAYING", "Two Sweeps", "The Oscillators"] { #expect(outcome["told"].contains(fact)) }
        #expect(outcome["key-pause"].contains("\"isPlaying\":false"))
        #expect(outcome["key-play"].contains("\"isPlaying\":true"))
        #expect(outcome["called-again"].contains("\"state\":\"active\""))
        #expect(outcome["stopped"].hasPrefix("0 "))
    }
}

import PulseAudio

extension FuzzTarget {
    /// The bytes that PulseAudio's `module-tunnel-sink` sends to the sink of a device.
    static let pulseTunnel = FuzzTarget(
        name: "pulse-tunnel", corpora: ["Tests/PulseAudioTests/Recordings"],
        words: ["L\u{0}\u{0}\u{0}\u{3}", "L\u{0}\u{0}\u{0}%", "tmdhost\u{0}", "N", "1", "0"],
        outcomes: ["refused", "waits", "begun", "samples"]
    ) { bytes in
        var session = TunnelSession()
        var outcome = "waits"
        do throws(TunnelFailure) {
            // In two parts, as a socket may deliver.
            for part in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
                for event in try session.take(part, now: TunnelTime(seconds: 0, microseconds: 0), wait: 0) {
                    switch event {
                    case .begun: outcome = "begun"
                    case .samples(let samples):
                        outcome = "samples"
                        if samples.isEmpty || !samples.count.isMultiple(of: 4) { outcome = "half a frame" }
                    case .level(let level): if !(0...1).contains(level) { outcome = "a level of \(level)" }
                    case .muted: break
                    case .send(let answer): if answer.count > 400 { outcome = "an answer of \(answer.count) bytes" }
                    }
                }
                _ = session.request()
            }
        } catch {
            return outcome == "waits" ? "refused" : outcome
        }
        try demand(["waits", "begun", "samples"].contains(outcome), outcome)
        try demand(session.outstanding >= 0, "samples that nobody wanted")
        return outcome
    }
}

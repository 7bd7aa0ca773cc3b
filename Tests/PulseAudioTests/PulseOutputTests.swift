import Testing

@testable import PulseAudio

@Suite struct PulseOutputTests {
    private func output(_ name: String, _ properties: [String: String]) -> PulseOutput {
        PulseOutput(name: name) { properties[$0] }
    }

    private func pulseAudio(_ profile: String, _ address: String = "00:AA:01:02:00:02") -> PulseOutput {
        output(
            "bluez_sink.\(profile)",
            ["device.api": "bluez", "device.string": address, "bluetooth.protocol": profile])
    }

    private func pipeWire(_ profile: String, _ address: String = "00:AA:01:02:00:02") -> PulseOutput {
        output(
            "bluez_output.\(profile)",
            ["device.api": "bluez5", "api.bluez5.address": address, "api.bluez5.profile": profile])
    }

    @Test func anOutputIsKnownByItsAddress() {
        let card = output("alsa_output", ["device.api": "alsa", "device.string": "front:0"])
        let other = pulseAudio("a2dp_sink", "00:AA:01:02:00:03")
        let outputs = [card, other, pulseAudio("a2dp_sink")]
        #expect(PulseOutput.best(of: outputs, for: "00:aa:01:02:00:02")?.address == "00:AA:01:02:00:02")
        #expect(PulseOutput.best(of: [card, other], for: "00:AA:01:02:00:02") == nil)
        #expect(PulseOutput.best(of: [pipeWire("a2dp-sink")], for: "00:AA:01:02:00:02") != nil)
    }

    @Test func thatForMusicIsPreferredToThatForCalls() {
        let pulse = [pulseAudio("handsfree_head_unit"), pulseAudio("a2dp_sink")]
        #expect(PulseOutput.best(of: pulse, for: "00:AA:01:02:00:02")?.name == "bluez_sink.a2dp_sink")
        let wire = [pipeWire("headset-head-unit"), pipeWire("a2dp-sink")]
        #expect(PulseOutput.best(of: wire, for: "00:AA:01:02:00:02")?.name == "bluez_output.a2dp-sink")
        // One for calls is better than none.
        #expect(PulseOutput.best(of: [pulse[0]], for: "00:AA:01:02:00:02")?.name == "bluez_sink.handsfree_head_unit")
    }

    @Test func itIsHeardOnceItBeganAndWhileNothingIsInItsWay() {
        var playing = PulsePlaying(isPaused: false)
        #expect(!playing.isRunning)
        playing.hasStarted = true
        #expect(playing.isRunning)
        playing.isPaused = true
        #expect(!playing.isRunning)
        playing.isPaused = false
        playing.isDry = true
        #expect(!playing.isRunning)
        playing.isDry = false
        playing.isSuspended = true
        #expect(!playing.isRunning)
    }
}

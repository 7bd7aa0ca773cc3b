import HostInterface
import Testing

@testable import mdhost

@Suite struct SinkTableTests {
    private let sinks = [
        SoundSinkStatus(
            id: "9C9BF886-0F68-50F8-8A19-E3F53590DF18", name: "Kitchen", state: .playing, server: "PipeWire",
            delay: 2.3456, requestedLatency: 0.5),
        SoundSinkStatus(
            id: "2540CC26-0000-50F8-8A19-E3F53590DF18", name: "Bath", state: .away, server: "",
            error: HostError(.unreachable, "Bath is not there.")),
    ]

    @Test func showsHowEachIs() {
        let words = SinkTable(sinks: sinks).lines(width: .max).map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            words == [
                "SINK STATE SERVER DELAY LAST ERROR", "Kitchen playing PipeWire 2346 ms (500 ms requested)",
                "Bath device away Bath is not there.",
            ])
    }

    @Test func oneThatIsAwayIsKnownByItsName() {
        #expect(SinkTable.named("bath", in: sinks)?.name == "Bath")
        #expect(SinkTable.named("9c9b", in: sinks)?.name == "Kitchen")
        #expect(SinkTable.named("Ba", in: sinks) == nil)
        #expect(SinkTable.named("", in: sinks) == nil)
    }
}

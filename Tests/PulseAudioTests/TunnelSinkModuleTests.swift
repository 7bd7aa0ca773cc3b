import Testing

@testable import PulseAudio

@Suite struct TunnelSinkModuleTests {
    @Test func aNameWithQuotesStaysOneArgument() {
        let argument = TunnelSinkModule.argument(id: "A", name: "Ann's \"den\"\n", socket: "/run/a b/A.sink")
        #expect(argument.hasPrefix("sink_name=mdhost.A server=\"unix:/run/a b/A.sink\" format=s16le rate=44100 "))
        #expect(
            argument.hasSuffix(
                #"sink_properties="device.description='Ann\'s \"den\"' device.icon_name='audio-speakers'""#))
    }
}

import Testing

@testable import PulseAudio

@Suite struct PipeSinkModuleTests {
    @Test func aNameWithQuotesStaysOneArgument() {
        let argument = PipeSinkModule.argument(
            id: "A", name: "Ann's \"den\"\n", pipe: "/run/a b/A.pipe", rate: 44_100)
        #expect(argument.hasPrefix("sink_name=mdhost.A file=\"/run/a b/A.pipe\" format=s16le rate=44100 "))
        #expect(
            argument.hasSuffix(
                #"sink_properties="device.description='Ann\'s \"den\"' device.icon_name='audio-speakers'""#))
    }

    @Test func whatALostProcessLeftIsKnownByItsPipe() {
        let argument = PipeSinkModule.argument(id: "A", name: "Kitchen", pipe: "/run/x/A.pipe", rate: 44_100)
        let module = PipeSinkModule(index: 3, argument: argument)
        #expect(module.isOurs(folder: "/run/x"))
        #expect(!module.isOurs(folder: "/run"))
        #expect(!module.isOurs(folder: "/run/y"), "another daemon's")
        #expect(!PipeSinkModule(index: 3, argument: "").isOurs(folder: "/run/x"))
        let other = PipeSinkModule(index: 3, argument: "sink_name=den file=\"/run/x/A.pipe\"")
        #expect(!other.isOurs(folder: "/run/x"), "somebody else's sink")
    }
}

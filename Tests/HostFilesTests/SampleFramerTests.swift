import HostInterface
import Testing

@testable import HostFiles

@Suite struct SampleFramerTests {
    private func framer(_ encoding: String, _ format: DeviceDescription.LiveFormat) throws -> SampleFramer {
        SampleFramer(try SampleFormat(encoding: encoding, rate: 48_000, channels: 2), as: format)
    }

    @Test func framesStayWhole() throws {
        var framer = try framer("s16le", .wave)
        #expect(framer.take([1, 2, 3]).isEmpty)
        #expect(framer.take([4, 5]) == [1, 2, 3, 4])
        #expect(framer.take([6, 7, 8, 9]) == [5, 6, 7, 8])
        #expect(framer.header.count == 44 && framer.contentType == "audio/wav")
    }

    @Test func bareSamplesHaveTheMostSignificantByteFirst() throws {
        var framer = try framer("s24le", .linear)
        #expect(framer.take([1, 2, 3, 4, 5, 6, 7]) == [3, 2, 1, 6, 5, 4])
        #expect(framer.header.isEmpty && framer.contentType == "audio/L24;rate=48000;channels=2")
    }

    @Test(arguments: ["u8", "s32le", "f32le"]) func whatHasNoBareFormBecomesAFile(_ encoding: String) throws {
        let framer = try framer(encoding, .linear)
        #expect(framer.header.count == 44 && framer.contentType == "audio/wav")
    }
}

import HostInterface
import ScreenInterface
import Testing

@Suite struct ScreenInterfaceTests {
    @Test func aRequestSurvivesTheCommandLine() throws {
        let request = ScreenRequest(display: ":7", width: 640, height: 360, rate: 25, hasSound: false, lead: 0.25)
        #expect(try ScreenRequest(argument: request.argument) == request)
        #expect(try ScreenRequest(argument: ScreenRequest().argument) == ScreenRequest())
    }

    @Test(arguments: ["", "{}", "x", #"{"width":1,"height":1,"rate":30,"hasSound":true,"lead":0}"#])
    func anythingElseIsRefused(argument: String) {
        #expect(throws: HostError.self) { try ScreenRequest(argument: argument) }
    }

    @Test(arguments: [(63, 64, 30), (64, 4321, 30), (1280, 720, 0), (1280, 720, 121)])
    func numbersHaveLimits(width: Int, height: Int, rate: Int) {
        #expect(throws: HostError.self) { try ScreenRequest(width: width, height: height, rate: rate).check() }
    }

    @Test(arguments: [-0.1, 3.1, .infinity]) func theBufferHasLimits(lead: Double) {
        #expect(throws: HostError.self) { try ScreenRequest(lead: lead).check() }
    }

    @Test func reportsAreLines() throws {
        var figures = ScreenFigures()
        figures.sent = 12
        let reports: [ScreenReport] = [
            .asking, .notice("Two\nlines"), .figures(figures), .ended(HostError(.cancelled, "Refused.")),
            .began(ScreenFacts(source: .window, width: 2, height: 4, rate: 30, hasSound: true)),
        ]
        for report in reports {
            let line = Array(report.line.utf8)
            #expect(line.last == UInt8(ascii: "\n") && !line.dropLast().contains(UInt8(ascii: "\n")))
            #expect(ScreenReport(line: line.dropLast()) == report)
        }
        #expect(ScreenReport(line: Array("{".utf8)) == nil)
    }
}

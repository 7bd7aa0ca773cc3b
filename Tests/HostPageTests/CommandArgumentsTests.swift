import HostInterface
import Testing

@testable import HostPage

/// Tests of the arguments in a browser's commands.
@Suite struct CommandArgumentsTests {
    private func arguments(_ text: String) throws -> CommandArguments { try CommandArguments(json: Array(text.utf8)) }

    @Test func valuesOfEachKind() throws {
        let arguments = try arguments(
            #"{"text":"a","number":0.5,"id":7,"flag":true,"list":["x","y"],"none":null,"session":"route12"}"#)
        #expect(try arguments.text("text") == "a" && arguments.text("id") == "7")
        #expect(try arguments.number("number", in: 0...1) == 0.5 && arguments.flag("flag"))
        #expect(try arguments.optionalList("list") == ["x", "y"] && arguments.optionalText("none") == nil)
        #expect(try arguments.mediaSession() == "/org/mdhost/media/route12")
        #expect(try CommandArguments(json: []).optionalText("x") == nil)
    }

    @Test(arguments: ["[]", "7", "{", "null", #"{"a":{"b":1}}"#, #"{"a":[[1]]}"#, #"{"a":[1]}"#, "\u{0}"])
    func nothingElseIsTaken(text: String) {
        #expect { try arguments(text) } throws: { ($0 as? HostError)?.code == .invalidArgument }
    }

    @Test(arguments: [
        #"{}"#, #"{"device":7}"#, #"{"device":"x"}"#, #"{"device":"../../manager"}"#, #"{"device":true}"#,
        #"{"device":"11111111-2222-3333-4444-55555555555G"}"#,
    ])
    func onlyIdentifiersMakePaths(text: String) throws {
        let arguments = try arguments(text)
        #expect(throws: HostError.self) { try arguments.device() }
        #expect(throws: HostError.self) { try arguments.session() }
    }

    @Test(arguments: [#""a/b""#, #""""#, #""é""#, #""a.b""#, #""-1""#])
    func onlyNamesMakeSessionPaths(name: String) throws {
        let arguments = try arguments(#"{"session":\#(name)}"#)
        #expect(throws: HostError.self) { try arguments.session() }
    }

    @Test(arguments: ["-0.1", "1.1", "1e999", "\"1\"", "true", "null"])
    func levelsAreInTheirRange(value: String) {
        #expect(throws: HostError.self) { try arguments(#"{"level":\#(value)}"#).number("level", in: 0...1) }
    }

    @Test func longTextsAreRefused() throws {
        let long = String(repeating: "x", count: 20_000)
        #expect(throws: HostError.self) { try arguments(#"{"a":"\#(long)"}"#).text("a") }
        let list = Array(repeating: "\"a\"", count: 65).joined(separator: ",")
        #expect(throws: HostError.self) { try arguments("{\"a\":[\(list)]}").optionalList("a") }
    }

    @Test func aDoctorsReportIsReducedToItsFindings() throws {
        let report = #"{"facts":{"secret":1},"findings":[{"area":"mdns","code":"x","message":"m","severity":"note"}]}"#
        let findings = try PageCommands.findings(in: Array(report.utf8))
        #expect(findings == #"[{"area":"mdns","code":"x","message":"m","severity":"note"}]"#)
        #expect(throws: HostError.self) { try PageCommands.findings(in: Array("no".utf8)) }
    }
}

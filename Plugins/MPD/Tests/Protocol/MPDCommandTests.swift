import MPDProtocol
import Testing

struct MPDCommandTests {
    @Test func quotesEveryArgument() throws {
        let command = MPDCommand("addtagid", "7", "title", #"He said "so\so""#)
        #expect(
            String(decoding: try command.encoded(), as: UTF8.self) == #"addtagid "7" "title" "He said \"so\\so\"""#
                + "\n")
    }

    @Test(arguments: ["a\nclear", "a\r", "a\u{0}b"])
    func refusesArgumentsThatWouldBeginAnotherCommand(argument: String) {
        #expect(throws: MPDError.invalidCommand("it contains a line break")) {
            try MPDCommand("addid", argument).encoded()
        }
    }

    @Test(arguments: ["", "Play", "play\n", "play now", "idle\u{0}"])
    func refusesNamesThatAreNone(name: String) {
        #expect(throws: MPDError.self) { try MPDCommand(name).encoded() }
    }

    @Test func refusesLinesLongerThanTheServersBuffer() throws {
        #expect(try MPDCommand("addid", String(repeating: "a", count: 7_991)).encoded().count == 8_000)
        #expect(throws: MPDError.self) { try MPDCommand("addid", String(repeating: "a", count: 7_992)).encoded() }
    }

    @Test func doesNotShowPasswords() {
        #expect(!"\(MPDCommand("password", "sesame"))".contains("sesame"))
        #expect("\(MPDCommand("playid", "3"))" == "playid 3")
    }

    @Test(arguments: [
        (
            "ACK [50@0] {playid} No such song",
            MPDRefusal(code: .noExist, index: 0, command: "playid", text: "No such song")
        ),
        (
            #"ACK [4@2] {play} you don't have permission for "play""#,
            MPDRefusal(code: .permission, index: 2, command: "play", text: #"you don't have permission for "play""#)
        ),
        (
            "ACK [3@0] {password} incorrect password",
            MPDRefusal(code: .password, index: 0, command: "password", text: "incorrect password")
        ),
        (
            #"ACK [5@0] {} unknown command "foo""#,
            MPDRefusal(code: .unknownCommand, index: 0, command: "", text: #"unknown command "foo""#)
        ),
        ("ACK [99@0] {x}", MPDRefusal(code: .init(rawValue: 99), index: 0, command: "x", text: "")),
    ])
    func readsRefusals(line: String, refusal: MPDRefusal) {
        #expect(MPDRefusal(line: line) == refusal)
    }

    @Test(arguments: [
        "ACK", "ACK ", "ACK [", "ACK [x@0] {a} b", "ACK [1] {a} b", "ACK [1@-1] {a} b", "ACK [1@0] a", "ACK [1@0] {a",
    ])
    func refusesRefusalsThatAreNone(line: String) {
        #expect(MPDRefusal(line: line) == nil)
    }

    @Test func makesASentenceOfTheServersWords() {
        let refusal = MPDRefusal(code: .password, index: 0, command: "password", text: "incorrect password")
        #expect(refusal.sentence == "MPD says: Incorrect password.")
        #expect(
            MPDRefusal(code: .system, index: 0, command: "", text: "").sentence == "The MPD server refused the request."
        )
    }

    @Test func ordersVersions() {
        #expect(MPDVersion(0, 9) < MPDVersion(0, 23))
        #expect(MPDVersion(greeting: "OK MPD 0.19.0") == MPDVersion(0, 19))
        #expect(MPDVersion(greeting: "OK MPD 0.24") == MPDVersion(0, 24))
    }
}

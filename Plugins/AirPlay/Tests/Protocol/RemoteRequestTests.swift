import AirPlayProtocol
import Testing

struct RemoteRequestTests {
    private func read(_ command: String) -> RemoteRequest? {
        RemoteRequest(method: "GET", uri: "/ctrl-int/1/\(command)")
    }

    @Test(arguments: [
        ("play", RemoteCommand.play), ("playresume", .play), ("pause", .pause), ("playpause", .playPause),
        ("stop", .stop), ("volumeup", .volumeUp), ("volumedown", .volumeDown), ("mutetoggle", .toggleMute),
        ("pause?session-id=1", .pause), ("setproperty?dmcp.device-volume=-15.000000", .level(0.5)),
        ("setproperty?dmcp.device-volume=-144", .level(0)), ("setproperty?dmcp.device-volume=7", .level(1)),
        ("setproperty?session-id=1&dmcp.volume=25", .level(0.25)), ("setproperty?dmcp.volume=-3", .level(0)),
        ("setproperty?dmcp.volume=1e300", .level(1)),
    ])
    func isRead(_ text: String, _ command: RemoteCommand) { #expect(read(text) == .command(command)) }

    @Test(arguments: [
        "nextitem", "previtem", "beginff", "beginrew", "shuffle_songs", "setproperty", "setproperty?",
        "setproperty?dmcp.device-volume", "setproperty?dmcp.device-volume=", "setproperty?dmcp.device-volume=nan",
        "setproperty?dmcp.volume=inf", "setproperty?dacp.repeatstate=1",
    ])
    func whatThisSenderHasNotIsBeyondIt(_ text: String) { #expect(read(text) == .beyond) }

    @Test(arguments: ["getproperty?properties=dmcp.volume", "playstatusupdate?revision-number=1", "getspeakers"])
    func questionsAreNoCommands(_ text: String) { #expect(read(text) == .question) }

    @Test func nothingElseIsRead() {
        #expect(read("") == nil && read("Pause") == nil && read("pause/") == nil && read("pause%00") == nil)
        #expect(read("pause?" + String(repeating: "x", count: 600)) == nil)
        #expect(RemoteRequest(method: "PUT", uri: "/ctrl-int/1/pause") == nil)
        #expect(RemoteRequest(method: "GET", uri: "http://10.0.0.1/ctrl-int/1/pause") == nil)
        #expect(RemoteRequest(method: "POST", uri: "/ctrl-int/1/pause") == .command(.pause))
    }

    @Test func theIdentifierHasNoLeadingZero() {
        #expect(RemoteIdentity(0).identifier == "8000000000000000")
        let identity = RemoteIdentity(0x0123_4567_89AB_CDEF)
        #expect(identity.serviceName == "iTunes_Ctrl_8123456789ABCDEF")
        #expect(
            identity.headers(token: 4_000_000_000) == ["DACP-ID": identity.identifier, "Active-Remote": "4000000000"])
    }

    @Test func onlyWhoWasLetInIsAGuest() {
        var guests = RemoteGuests<String>()
        var numbers: [UInt32] = [0, 7, 7, 8]
        let kitchen = guests.admit("Kitchen", at: "10.0.0.5") { numbers.removeFirst() }
        let bath = guests.admit("Bath", at: "10.0.0.6") { numbers.removeFirst() }
        #expect(kitchen == 7 && bath == 8, "no token twice, and never zero")
        func guest(_ header: String?, _ address: String = "10.0.0.5") -> String? {
            guests.guest(header) { $0 == address }
        }
        #expect(guest("7") == "Kitchen" && guest("8", "10.0.0.6") == "Bath")
        #expect(guest("8") == nil && guest("7", "10.0.0.6") == nil)
        for header in [nil, "", "0", "9", "+7", "-7", " 7", "7 ", "0x7", "7.0", "99999999999", "٧"] {
            #expect(guest(header) == nil)
        }
        guests.remove(kitchen)
        #expect(guest("7") == nil && !guests.isEmpty)
    }
}

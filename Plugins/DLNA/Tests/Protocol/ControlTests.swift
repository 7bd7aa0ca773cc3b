import Testing

@testable import DLNAProtocol

struct ControlTests {
    private let transport = URN(kind: .service, name: "AVTransport", version: 1)

    @Test func buildsAnEnvelopeThatReadsBack() throws {
        let request = AVTransport.setURI("http://h/a?x=1&y=2", metadata: "<DIDL-Lite>\"ü\"</DIDL-Lite>", transport)
        #expect(request.actionHeader == "\"urn:schemas-upnp-org:service:AVTransport:1#SetAVTransportURI\"")
        let body = try #require(try XMLReader.parse(request.body.utf8).child("Body"))
        let action = try #require(body.child("SetAVTransportURI"))
        #expect(action.namespace == transport.description)
        #expect(action.children.map(\.name) == ["InstanceID", "CurrentURI", "CurrentURIMetaData"])
        #expect(action.children.map(\.text) == ["0", "http://h/a?x=1&y=2", "<DIDL-Lite>\"ü\"</DIDL-Lite>"])
    }

    @Test func namesItsArgumentsAsTheServicesDo() {
        let names = { (request: SOAPRequest) in request.arguments.map { "\($0.name)=\($0.value)" } }
        #expect(names(AVTransport.seek(to: 3725.4, transport)) == ["InstanceID=0", "Unit=REL_TIME", "Target=1:02:05"])
        #expect(names(AVTransport.play(transport)) == ["InstanceID=0", "Speed=1"])
        #expect(
            names(RenderingControl.setVolume(33, transport)) == ["InstanceID=0", "Channel=Master", "DesiredVolume=33"])
        #expect(
            names(RenderingControl.setMute(true, transport)) == ["InstanceID=0", "Channel=Master", "DesiredMute=1"])
        #expect(names(ConnectionManager.protocolInfo(transport)) == [])
    }

    private func arguments(_ path: String, _ action: String) throws -> [String: String] {
        guard case .success(let arguments) = try SOAPResponse(parsing: Fixtures.bytes(path), action: action) else {
            throw DLNAError.unexpected("Fault")
        }
        return arguments
    }

    @Test func readsAnswersOfGmediarender() throws {
        #expect(try RenderingControl.volume(in: arguments("gmediarender/GetVolume.xml", "GetVolume")) == 100)
        #expect(try !RenderingControl.mute(in: arguments("gmediarender/GetMute.xml", "GetMute")))
        let playing = try TransportInfo(arguments("gmediarender/GetTransportInfo-playing.xml", "GetTransportInfo"))
        #expect(playing == TransportInfo(state: .playing))
        let position = PositionInfo(try arguments("gmediarender/GetPositionInfo-playing.xml", "GetPositionInfo"))
        #expect(position.position == 1)
        #expect(position.duration == 30)
        #expect(position.uri == "http://10.77.0.2:8099/tone.mp3")
        #expect(try position.metadata.map { try MediaItem(parsing: $0).title } == "Tone & more")
        let empty = PositionInfo(try arguments("gmediarender/GetPositionInfo-empty.xml", "GetPositionInfo"))
        #expect(empty == PositionInfo(position: 0, uri: ""))
    }

    @Test func readsAnswersOfRygel() throws {
        #expect(try RenderingControl.volume(in: arguments("rygel/GetVolume.xml", "GetVolume")) == 50)
        let empty = try TransportInfo(arguments("rygel/GetTransportInfo-empty.xml", "GetTransportInfo"))
        #expect(empty.state == .noMediaPresent)
        let position = PositionInfo(try arguments("rygel/GetPositionInfo-playing.xml", "GetPositionInfo"))
        #expect(position.position == 1.322)
        #expect(position.duration == 30.04)
        // The device loses one level of escaping in its answer.
        #expect(try position.metadata.map { try MediaItem(parsing: $0).title } == "Tone & more")
    }

    @Test func readsFaults() throws {
        let fault = { (path: String) throws -> UPnPFault? in
            if case .fault(let fault) = try SOAPResponse(parsing: Fixtures.bytes(path), action: "Any") {
                fault
            } else {
                nil
            }
        }
        #expect(try fault("rygel/fault-Play-without-uri.xml") == UPnPFault(code: 701, text: "Transition not available"))
        #expect(try fault("rygel/fault-SetAVTransportURI-missing.xml")?.meaning == .unreachableMedia)
        #expect(try fault("rygel/fault-Seek-unit.xml")?.meaning == .notSupported)
        #expect(try fault("rygel/fault-NoSuchAction.xml")?.code == 401)
        let pause = try #require(try fault("gmediarender/fault-Pause-while-stopped.xml"))
        #expect(
            pause.sentence
                == "The device could not do it. It says: Transition to PAUSE not allowed; allowed=PLAY (501).")
        #expect(
            try fault("rygel/fault-Play-without-uri.xml")?.sentence
                == "The device cannot do that in its present state. (701)")
        #expect(UPnPFault(code: 899).sentence == "The device refused with error 899.")
        #expect(UPnPFault(code: 899, text: "Go away").sentence == "The device refused: Go away (899).")
    }

    @Test(arguments: [401, 402, 501] + Array(600...606) + Array(701...721))
    func hasASentenceForEveryCode(code: Int) {
        let sentence = UPnPFault(code: code).sentence
        #expect(sentence.contains("(\(code))"))
        #expect(!sentence.contains("refused with error"))
    }

    @Test func refusesAnswersToSomethingElse() throws {
        #expect(throws: DLNAError.unexpected("GetVolumeResponse")) {
            try SOAPResponse(parsing: Fixtures.bytes("rygel/GetVolume.xml"), action: "GetMute")
        }
        #expect(throws: DLNAError.unexpected("html")) {
            try SOAPResponse(parsing: Fixtures.bytes("hostile/error-page.html"), action: "GetMute")
        }
        #expect(throws: DLNAError.missing("Body")) { try SOAPResponse(parsing: "<Envelope/>".utf8, action: "A") }
        #expect(throws: DLNAError.missing("AResponse")) {
            try SOAPResponse(parsing: "<Envelope><Body/></Envelope>".utf8, action: "A")
        }
        #expect(throws: DLNAError.missing("errorCode")) {
            try SOAPResponse(parsing: "<Envelope><Body><Fault/></Body></Envelope>".utf8, action: "A")
        }
        #expect(throws: DLNAError.missing("CurrentVolume")) {
            try RenderingControl.volume(in: ["CurrentVolume": "loud"])
        }
        #expect(throws: DLNAError.missing("CurrentTransportState")) { try TransportInfo([:]) }
    }
}

struct MediaTimeTests {
    @Test(arguments: [
        ("0:00:30", 30), ("00:00:30", 30), ("1:02:03", 3723), ("123:00:00", 442_800), ("0:00:30.040", 30.04),
        ("0:00:01.1/4", 1.25), ("-0:00:05", -5), ("+0:00:05.5", 5.5), (" 0:00:00 ", 0), ("0:00:07.", 7),
    ])
    func reads(text: String, seconds: Double) throws {
        #expect(abs(try #require(MediaTime.seconds(text)) - seconds) < 1e-9)
    }

    @Test(arguments: [
        "", "NOT_IMPLEMENTED", "END_OF_MEDIA", "5", "0:05", "0:60:00", "0:00:60", "0:00:1.1/0", "0:00:1.5/4",
        "0:00:1.x",
        "a:00:00", "0:-1:00", "--0:00:01", "99999999999:00:00", "2000000:00:00", "0:00:٣", "0:0x:00",
    ])
    func tellsWhatIsNoTime(text: String) {
        #expect(MediaTime.seconds(text) == nil)
    }

    @Test(arguments: [(0.0, "0:00:00"), (59.6, "0:01:00"), (3725.2, "1:02:05"), (-4, "0:00:00"), (.nan, "0:00:00")])
    func writes(seconds: Double, text: String) {
        #expect(MediaTime.text(seconds) == text)
    }

    @Test func writesMilliseconds() {
        #expect(MediaTime.text(30.04, milliseconds: true) == "0:00:30.040")
        #expect(MediaTime.text(59.9996, milliseconds: true) == "0:01:00.000")
        #expect(MediaTime.text(.infinity) == "0:00:00")
    }
}

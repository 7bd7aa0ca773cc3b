import DeviceConnections
import Foundation
import JSONValues
import KodiProtocol
import PlaybackKit
import Testing

struct KodiProtocolTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func json(_ text: String) throws -> JSON { try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

    // MARK: Wire

    @Test(arguments: [1, 2, 7, 1000]) func objectsWithoutSeparatorsAreCut(_ size: Int) throws {
        let text = #"{"a":"}\"{"} {"b":[{},[1]]}{"c":null}"#
        var splitter = JSONSplitter()
        var objects: [String] = []
        var rest = bytes(text)[...]
        while !rest.isEmpty {
            objects += try splitter.append(rest.prefix(size)).map { String(decoding: $0, as: UTF8.self) }
            rest = rest.dropFirst(size)
        }
        #expect(objects == [#"{"a":"}\"{"}"#, #"{"b":[{},[1]]}"#, #"{"c":null}"#])
    }

    @Test func whatIsNoObjectIsRefused() {
        var splitter = JSONSplitter()
        #expect(throws: JSONSplitter.Failure.notJSON) { try splitter.append(bytes("HTTP/1.1 200")) }
        var long = JSONSplitter()
        #expect(throws: JSONSplitter.Failure.tooLong) {
            try long.append(bytes("{\"") + Array(repeating: UInt8(ascii: "a"), count: JSONSplitter.longest))
        }
    }

    @Test func messagesAreRead() throws {
        #expect(KodiMessage(bytes(#"{"id":5,"jsonrpc":"2.0","result":"OK"}"#)) == .answer(5, .success("OK")))
        guard
            case .answer(8, .failure(let refusal))? = KodiMessage(
                bytes(#"{"error":{"code":-32100,"message":"Failed to execute method."},"id":8,"jsonrpc":"2.0"}"#))
        else { return #expect(Bool(false), "no refusal") }
        #expect(refusal.code == -32100 && refusal.message == "Failed to execute method.")
        let stop = #"{"jsonrpc":"2.0","method":"Player.OnStop","params":{"data":{"end":true},"sender":"xbmc"}}"#
        #expect(KodiMessage(bytes(stop)) == .notification(KodiNotification("Player.OnStop", ["end": true])))
        #expect(KodiMessage(bytes("{}")) == nil && KodiMessage(bytes("[")) == nil)
    }

    @Test func callsHaveWholeNumbers() throws {
        let call = KodiCall("Player.Seek", ["playerid": 1, "value": ["time": KodiState.time(3725.25)]])
        let sent = try json(String(decoding: call.encoded(id: 3), as: UTF8.self))
        #expect(sent["id"]?.integer == 3 && sent["params"]?["value"]?["time"]?["milliseconds"]?.integer == 250)
        #expect(!String(decoding: call.encoded(id: 3), as: UTF8.self).contains(".0,"))
        #expect(KodiState.time(-1) == KodiState.time(0) && KodiState.time(.infinity) == KodiState.time(360_000))
    }

    // MARK: Connection

    @Test func isReadyWhenKodiAnswersAndKeepsAnEyeOnIt() {
        var machine = KodiConnectionMachine()
        #expect(machine.connected() == [.send(KodiCall("JSONRPC.Ping").encoded(id: 0))])
        let pong = bytes(#"{"id":0,"jsonrpc":"2.0","result":"pong"}"#)
        #expect(machine.received(pong) == [.ready, .expect(within: KodiConnectionMachine.silence)])
        let open = KodiCall("Player.Open")
        #expect(machine.submit(1, open) == [.send(open.encoded(id: 1)), .expect(within: .seconds(40))])
        let answers = bytes(#"{"jsonrpc":"2.0","method":"Player.OnPlay"}{"id":1,"jsonrpc":"2.0","result":"OK"}"#)
        #expect(
            machine.received(answers) == [
                .notify(KodiNotification("Player.OnPlay")), .complete(1, .success("OK")),
                .expect(within: KodiConnectionMachine.silence),
            ])
        #expect(machine.received(bytes(#"{"id":99,"result":1}"#)) == [.expect(within: KodiConnectionMachine.silence)])
        #expect(machine.timedOut().first == .send(KodiCall("JSONRPC.Ping").encoded(id: 0)))
        #expect(machine.timedOut() == [.close(.timedOut("Kodi is silent"))])
        #expect(machine.received(bytes("220 ftp")) == [.close(.malformed("it doesn't speak JSON-RPC"))])
    }

    // MARK: State

    /// As Kodi 20.1 writes it.
    @Test func whatPlaysIsRead() throws {
        let properties = try json(
            #"""
            {"audiostreams":[{"bitrate":69202,"channels":1,"codec":"aac","index":0,"language":"und","name":"AAC mono"},
            {"index":1,"language":"ger","name":"Deutsch"}],"canchangespeed":true,"canseek":true,
            "currentaudiostream":{"index":1},"currentsubtitle":{"index":0},"live":false,"speed":0,
            "subtitleenabled":true,"subtitles":[{"index":0,"language":"eng","name":""}],
            "time":{"hours":0,"milliseconds":289,"minutes":1,"seconds":6},
            "totaltime":{"hours":1,"milliseconds":0,"minutes":0,"seconds":20}}
            """#)
        let item = try json(
            #"""
            {"artist":[],"album":"","file":"http://x/clip.mp4","label":"clip.mp4","title":"",
            "thumbnail":"image://http%3a%2f%2fx%2fcover.jpg/"}
            """#)
        let state = KodiState(player: 1, properties: properties, item: item, time: 50)
        #expect(state.file == "http://x/clip.mp4" && state.position == 66.289 && state.duration == 3620)
        let snapshot = state.snapshot
        #expect(!snapshot.isPlaying && snapshot.canSeek && snapshot.scanSpeed == 0 && snapshot.scanSpeeds.contains(-2))
        #expect(snapshot.title == "clip.mp4" && snapshot.artworkURL?.absoluteString == "http://x/cover.jpg")
        #expect(snapshot.audio.current == "1" && snapshot.audio.available.map(\.name) == ["AAC mono", "Deutsch"])
        #expect(snapshot.audio.available.map(\.language) == [nil, "ger"])
        #expect(snapshot.subtitles == PlaybackOptions([.init(id: "0", name: "eng", language: "eng")], current: "0"))
        #expect(KodiState(player: 0, properties: .null, item: .null).file.isEmpty)
    }

    // MARK: Runs

    private func state(_ file: String, at position: Double = 1, of duration: Double? = 20) throws -> KodiState {
        let total = duration.map { #","totaltime":{"hours":0,"minutes":0,"seconds":\#($0)}"# } ?? ""
        let properties = try json(#"{"speed":1,"time":{"hours":0,"minutes":0,"seconds":\#(position)}\#(total)}"#)
        return KodiState(player: 1, properties: properties, item: ["file": .string(file)])
    }

    private func run(tells: Bool = true, isAdopted: Bool = false) -> KodiRun {
        KodiRun(file: "ours", tells: tells, isAdopted: isAdopted, now: 0)
    }

    private func stop(atEnd end: Bool) -> KodiNotification { KodiNotification("Player.OnStop", ["end": .bool(end)]) }

    @Test func theEndOfTheMediaBeforeIsNotOurs() throws {
        var run = run()
        #expect(run.heard(stop(atEnd: false)) == nil)
        #expect(run.observed(try state("other"), now: 1) == .waiting)
        #expect(run.heard(KodiNotification("Player.OnPlay")) == nil)
        #expect(run.observed(try state("ours"), now: 2) == .waiting, "OnAVStart is the beginning")
        #expect(run.heard(KodiNotification("Player.OnAVStart")) == nil)
        #expect(run.observed(try state("ours"), now: 3) == .playing)
        #expect(run.heard(stop(atEnd: true)) == .finished)
        #expect(run.heard(stop(atEnd: true)) == nil, "one end")
        #expect(run.observed(nil, now: 4) == .waiting)
    }

    @Test func aStopIsNoEnd() {
        var run = run(isAdopted: true)
        #expect(run.heard(stop(atEnd: false)) == .stopped)
    }

    @Test func otherMediaTakesItsPlace() throws {
        var run = run(isAdopted: true)
        #expect(run.observed(try state("ours"), now: 1) == .playing)
        #expect(run.observed(try state("other"), now: 2) == .ended(.stopped))
    }

    @Test func whatCannotBeOpenedFails() throws {
        func isFailure(_ verdict: KodiRun.Verdict) -> Bool {
            if case .ended(.failed) = verdict { true } else { false }
        }
        var late = run()
        _ = late.heard(KodiNotification("Player.OnPlay"))
        #expect(late.observed(nil, now: KodiRun.openingLimit - 1) == .waiting)
        #expect(isFailure(late.observed(nil, now: KodiRun.openingLimit + 1)))
        var soon = run()
        _ = soon.heard(KodiNotification("Player.OnPlay"))
        #expect(isFailure(soon.observed(nil, hasComplained: true, now: 1)))
    }

    @Test func withoutNotificationsPositionsTell() throws {
        var run = run(tells: false)
        #expect(run.observed(nil, now: 1) == .waiting)
        #expect(run.observed(try state("ours", at: 0, of: nil), now: 1) == .waiting)
        #expect(run.observed(try state("ours", at: 3), now: 2) == .playing)
        var finished = run
        #expect(finished.observed(try state("ours", at: 18), now: 3) == .playing)
        #expect(finished.observed(nil, now: 4) == .ended(.finished))
        #expect(run.observed(nil, now: 4) == .ended(.stopped))
    }
}

import DeviceConnections
import Foundation
import GoogleCastProtocol
import JSONValues
import Testing

struct CastConnectionMachineTests {
    private typealias Action = ConnectionAction<CastConnectionMachine.Response, CastNotification>

    private func bytes(
        _ payload: String, _ namespace: String = CastNames.receiver, from source: String = CastNames.platform,
        to destination: String = "me"
    ) throws -> [UInt8] {
        try #require(
            CastFrames.encode(
                CastMessage(from: source, to: destination, namespace: namespace, payload: .text(payload))))
    }

    /// The messages that were sent.
    private func sent(_ actions: [Action]) throws -> [String] {
        var frames = CastFrames()
        return try actions.flatMap { action -> [String] in
            guard case .send(let bytes) = action else { return [] }
            return try frames.append(bytes).map { message in
                guard case .text(let text) = message.payload else { return "binary" }
                return "\(message.destination) \(text)"
            }
        }
    }

    private func completions(_ actions: [Action]) -> [RequestID: CastConnectionMachine.Response] {
        var found: [RequestID: CastConnectionMachine.Response] = [:]
        for case .complete(let id, let response) in actions { found[id] = response }
        return found
    }

    private func ready() throws -> CastConnectionMachine {
        var machine = CastConnectionMachine(sender: "me")
        _ = machine.connected()
        _ = machine.received(try bytes(#"{"type":"RECEIVER_STATUS","requestId":1,"status":{}}"#))
        return machine
    }

    private var application: CastApplication {
        get throws {
            let status = CastReceiverStatus([
                "status": ["applications": [["appId": "CC1AD845", "sessionId": "s1", "transportId": "t1"]]]
            ])
            return try #require(status.application(CastNames.mediaReceiver))
        }
    }

    @Test func itIsReadyWithTheFirstStatus() throws {
        var machine = CastConnectionMachine(sender: "me")
        #expect(
            try sent(machine.connected()) == [
                #"receiver-0 {"origin":{},"type":"CONNECT","userAgent":"mdhost"}"#,
                #"receiver-0 {"requestId":1,"type":"GET_STATUS"}"#,
            ])
        let actions = machine.received(try bytes(#"{"type":"RECEIVER_STATUS","requestId":1,"status":{}}"#))
        #expect(actions.contains(.ready) && actions.last == .expect(within: CastConnectionMachine.heartbeat))
        #expect(actions.contains(.notify(.receiver(CastReceiverStatus([:])))))
    }

    @Test func whoeverSpeaksSomethingElseIsLeft() throws {
        var machine = CastConnectionMachine(sender: "me")
        _ = machine.connected()
        #expect(
            machine.received(Array("HTTP/1.1 400 Bad Request".utf8)) == [
                .close(.tooLarge("a message of more than 65536 bytes"))
            ])
        var other = CastConnectionMachine(sender: "me")
        #expect(other.received([0, 0, 0, 2, 1, 1]) == [.close(.malformed("it doesn't speak Google Cast"))])
        var third = try ready()
        #expect(third.received(try bytes("no JSON")) == [.close(.malformed("a message without a type"))])
        #expect(third.received(try bytes("no JSON", "urn:x-cast:com.google.other")) == [])
        #expect(third.received(try bytes("no JSON", to: "somebody")) == [])
    }

    @Test func heartbeatsGoBothWays() throws {
        var machine = try ready()
        let pong = machine.received(try bytes(#"{"type":"PING"}"#, CastNames.heartbeat, to: "*"))
        #expect(try sent(pong) == [#"receiver-0 {"type":"PONG"}"#])
        for _ in 0..<3 {
            let beat = machine.timedOut()
            #expect(try sent(beat) == [#"receiver-0 {"type":"PING"}"#])
            #expect(beat.last == .expect(within: CastConnectionMachine.heartbeat))
            #expect(machine.received(try bytes(#"{"type":"PONG"}"#, CastNames.heartbeat)) == [])
        }
        _ = machine.timedOut()
        _ = machine.timedOut()
        #expect(machine.timedOut() == [.close(.timedOut("it is silent"))])
    }

    @Test func aRequestWithoutAnAnswerTimesOutAlthoughTheDeviceIsThere() throws {
        var machine = try ready()
        _ = machine.submit(7, .setVolume(0.5))
        var answers: [RequestID: CastConnectionMachine.Response] = [:]
        var beats = 0
        while answers.isEmpty, beats < 20 {
            beats += 1
            answers = completions(machine.timedOut())
            _ = machine.received(try bytes(#"{"type":"PONG"}"#, CastNames.heartbeat))
        }
        #expect(answers == [7: .failure(.timedOut)] && beats == 3)
        #expect(completions(machine.received(try bytes(#"{"type":"RECEIVER_STATUS","requestId":8}"#))).isEmpty, "late")
    }

    @Test func anAppIsLaunchedOnceItIsInAStatus() throws {
        var machine = try ready()
        #expect(
            try sent(machine.submit(1, .launch("CC1AD845"))) == [
                #"receiver-0 {"appId":"CC1AD845","requestId":2,"type":"LAUNCH"}"#
            ])
        let pending = #"{"type":"LAUNCH_STATUS","requestId":2,"status":"USER_PENDING_AUTHORIZATION"}"#
        #expect(completions(machine.received(try bytes(pending))).isEmpty)
        let empty = #"{"type":"RECEIVER_STATUS","requestId":2,"status":{}}"#
        #expect(completions(machine.received(try bytes(empty))).isEmpty)
        let running =
            #"{"type":"RECEIVER_STATUS","requestId":0,"status":{"applications":[{"appId":"CC1AD845","sessionId":"s"}]}}"#
        #expect(completions(machine.received(try bytes(running, to: "*")))[1] != nil)
        _ = machine.submit(2, .launch("CC1AD845"))
        let refused = #"{"responseType":"LAUNCH_ERROR","requestId":3,"reason":"NOT_FOUND"}"#
        #expect(
            completions(machine.received(try bytes(refused))) == [
                2: .failure(.launch(.notFound))
            ])
    }

    @Test func mediaIsLoadedOnceItHasASession() throws {
        var machine = try ready()
        let application = try application
        _ = machine.submit(1, .load([:], on: application))
        func status(_ content: String, from source: String = "t1") throws -> [UInt8] {
            try bytes(
                #"{"type":"MEDIA_STATUS","requestId":2,"status":[\#(content)]}"#, CastNames.media, from: source)
        }
        #expect(completions(machine.received(try status(""))).isEmpty)
        #expect(completions(machine.received(try status(#"{"mediaSessionId":1}"#, from: "t2"))).isEmpty, "another app")
        let actions = machine.received(try status(#"{"mediaSessionId":1}"#))
        #expect(completions(actions)[1] != nil)
        guard case .notify(.media(_, transport: "t1"))? = actions.first else {
            Issue.record("the status has to arrive before its answer: \(actions)")
            return
        }
        _ = machine.submit(2, .load([:], on: application))
        let failed = #"{"type":"LOAD_FAILED","requestId":3,"detailedErrorCode":104}"#
        #expect(
            completions(machine.received(try bytes(failed, CastNames.media, from: "t1"))) == [
                2: .failure(.load(.unsupported(104)))
            ])
    }

    @Test func theEndOfAnAppEndsItsRequests() throws {
        var machine = try ready()
        let application = try application
        _ = machine.submit(1, .media("PAUSE", session: 1, on: application))
        _ = machine.submit(2, .receiverStatus)
        let actions = machine.received(try bytes(#"{"type":"CLOSE"}"#, CastNames.connection, from: "t1"))
        #expect(completions(actions) == [1: .failure(.applicationEnded)])
        #expect(actions.last == .notify(.closed(transport: "t1")))
        #expect(
            machine.received(try bytes(#"{"type":"CLOSE"}"#, CastNames.connection)) == [
                .close(.disconnected("the device ended it"))
            ])
    }

    @Test func messagesOfAppsPassUnchanged() throws {
        var machine = try ready()
        let message = CastRequest.message(.text("no JSON"), in: "urn:x-cast:org.example", to: try application)
        var frames = CastFrames()
        var content: [CastMessage] = []
        for case .send(let bytes) in machine.submit(1, message) { content += try frames.append(bytes) }
        #expect(
            content == [
                CastMessage(from: "me", to: "t1", namespace: "urn:x-cast:org.example", payload: .text("no JSON"))
            ])
        let answer = try bytes("neither", "urn:x-cast:org.example", from: "t1")
        #expect(
            machine.received(answer) == [
                .notify(.message(.text("neither"), namespace: "urn:x-cast:org.example", transport: "t1"))
            ])
        #expect(machine.received(try bytes("x", "urn:x-cast:com.google.cast.other")) == [])
    }

    @Test func theDevicesOfAGroupAreFollowed() throws {
        var machine = try ready()
        #expect(
            try sent(machine.submit(1, .groupStatus)) == [#"receiver-0 {"requestId":2,"type":"GET_STATUS"}"#])
        var group = CastGroup()
        func tell(_ text: String) throws -> [RequestID] {
            let actions = machine.received(try bytes(text, CastNames.multizone))
            for case .notify(.group(let json)) in actions { group.received(json) }
            return Array(completions(actions).keys)
        }
        let status =
            #"{"type":"MULTIZONE_STATUS","requestId":2,"status":{"devices":[{"deviceId":"AB-01","name":"Kitchen","#
            + #""volume":{"level":0.3,"muted":false}},{"deviceId":"","name":"x"},{"deviceId":"02"}]}}"#
        #expect(try tell(status) == [1])
        #expect(group.members.map(\.identity) == ["ab01", "02"] && group.members.map(\.name) == ["Kitchen", "02"])
        #expect(group.members[0].volume?.level == 0.3 && group.members[1].volume == nil)
        _ = try tell(#"{"type":"DEVICE_UPDATED","device":{"deviceId":"ab01","name":"K","volume":{"level":7}}}"#)
        _ = try tell(#"{"type":"DEVICE_ADDED","device":{"deviceId":"03","name":"Bath"}}"#)
        _ = try tell(#"{"type":"DEVICE_REMOVED","deviceId":"02"}"#)
        _ = try tell(#"{"type":"DEVICE_REMOVED"}"#)
        _ = try tell(#"{"type":"DEVICE_ADDED","device":7}"#)
        #expect(group.members.map(\.name) == ["K", "Bath"] && group.members[0].volume?.level == 1)
        for number in 0..<200 { _ = try tell(#"{"type":"DEVICE_ADDED","device":{"deviceId":"x\#(number)"}}"#) }
        #expect(group.members.count == 64)
    }

    @Test func aRequestThatIsTooLongIsRefusedHere() throws {
        var machine = try ready()
        let title = JSON.string(String(repeating: "x", count: CastFrames.longest))
        let actions = machine.submit(1, .load(["title": title], on: try application))
        #expect(actions == [.complete(1, .failure(.tooLong))])
    }
}

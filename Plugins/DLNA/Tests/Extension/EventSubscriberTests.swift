import DeviceConnections
import Foundation
import NIOPosix
import Synchronization
import TestConditions
import Testing

@testable import DLNAExtension
@testable import DLNAProtocol

@Suite(.timeLimit(.minutes(1)))
@MainActor
struct EventSubscriberTests {
    /// Answers subscriptions as told, and remembers them.
    private final class Device: DeviceTransport {
        private let state = Mutex((answers: [DeviceAnswer?](), requests: [DeviceRequest]()))

        init(_ answers: [DeviceAnswer?]) { state.withLock { $0.answers = answers } }

        var requests: [DeviceRequest] { state.withLock(\.requests) }

        func send(_ request: DeviceRequest) async throws(DeviceFailure) -> DeviceAnswer {
            let answer = state.withLock { state in
                state.requests.append(request)
                return state.answers.isEmpty ? nil : state.answers.removeFirst()
            }
            guard let answer else { throw .timedOut }
            return answer
        }
    }

    private static func grant(_ identifier: String, _ timeout: String = "Second-300") -> DeviceAnswer {
        DeviceAnswer(status: 200, headers: ["sid": identifier, "timeout": timeout], body: [])
    }
    private static let forgotten = DeviceAnswer(status: 412, headers: [:], body: [])

    private let clock = ManualTime()
    private let ledger = SubscriptionLedger()

    private func subscriber(_ device: Device) -> EventSubscriber {
        EventSubscriber(
            service: URL(string: "http://192.0.2.9/events")!, callback: "http://192.0.2.1:9/path", transport: device,
            ledger: ledger, time: clock.time)
    }

    private func collect(_ subscriber: EventSubscriber) -> Task<[EventSubscriber.Output], Never> {
        Task {
            var all: [EventSubscriber.Output] = []
            for await output in subscriber.outputs { all.append(output) }
            return all
        }
    }

    @Test func subscribesRenewsAndEnds() async {
        let device = Device([Self.grant("uuid:1"), Self.grant("uuid:1", "Second-100"), Self.grant("uuid:1")])
        let subscriber = subscriber(device)
        let outputs = collect(subscriber)
        await subscriber.start()
        await eventually("a renewal is planned") { clock.nextPause == .seconds(150) }
        #expect(
            device.requests.map(\.headers) == [
                ["CALLBACK": "<http://192.0.2.1:9/path>", "NT": "upnp:event", "TIMEOUT": "Second-1800"]
            ])
        clock.advance(by: .seconds(150))
        await eventually("the next renewal is planned") { clock.nextPause == .seconds(50) }
        #expect(ledger.identifiers == ["uuid:1"])
        #expect(device.requests.last?.headers == ["SID": "uuid:1", "TIMEOUT": "Second-1800"])
        await subscriber.stop()
        #expect(device.requests.map(\.method) == ["SUBSCRIBE", "SUBSCRIBE", "UNSUBSCRIBE"])
        #expect(device.requests.last?.headers == ["SID": "uuid:1"])
        #expect(await outputs.value == [])
        #expect(clock.nextPause == nil)
        #expect(ledger.identifiers == [])
    }

    @Test func subscribesAnewWhenForgotten() async throws {
        let device = Device([Self.grant("uuid:1"), Self.forgotten, Self.grant("uuid:2"), nil])
        let subscriber = subscriber(device)
        let outputs = collect(subscriber)
        await subscriber.start()
        await eventually("a renewal is planned") { clock.nextPause != nil }
        clock.advance(by: .seconds(150))
        await eventually("it subscribed anew") { device.requests.count == 3 && clock.nextPause == .seconds(150) }
        #expect(device.requests[2].headers["CALLBACK"] != nil)
        #expect(ledger.identifiers == ["uuid:2"])
        let body = Array("<propertyset><property><LastChange>x</LastChange></property></propertyset>".utf8)
        #expect(await subscriber.receive(EventHeaders(identifier: "uuid:2", sequence: 0), body) == .accepted)
        #expect(await subscriber.receive(EventHeaders(identifier: "uuid:1", sequence: 1), body) == .foreign)
        await subscriber.stop()
        #expect(await outputs.value == [.resynchronize, .properties(["LastChange": "x"])])
    }

    @Test func asksToPollWhileTheDeviceRefuses() async {
        let refusal = DeviceAnswer(status: 500, headers: [:], body: [])
        let device = Device([refusal, nil, Self.grant("uuid:1")])
        let subscriber = subscriber(device)
        let outputs = collect(subscriber)
        await subscriber.start()
        await eventually("a second try is planned") { clock.nextPause == .seconds(1) }
        clock.advance(by: .seconds(1))
        await eventually("a third try is planned") { clock.nextPause == .seconds(2) }
        clock.advance(by: .seconds(2))
        await eventually("it is subscribed") { clock.nextPause == .seconds(150) }
        await subscriber.stop()
        #expect(await outputs.value == [.polling(true), .polling(false)])
    }

    @Test func doesNotDropWhatItCannotRead() async {
        let device = Device([Self.grant("uuid:1")])
        let subscriber = subscriber(device)
        let outputs = collect(subscriber)
        await subscriber.start()
        #expect(
            await subscriber.receive(EventHeaders(identifier: "uuid:1", sequence: 0), Array("<html".utf8)) == .accepted)
        await subscriber.stop()
        #expect(await outputs.value == [.resynchronize])
    }

    @Test func endsWhatIsLeftWhenTheProcessExits() async throws {
        let requests = RequestLog()
        let server = try await ScriptedServer.start(on: MultiThreadedEventLoopGroup.singleton) { request in
            requests.append(request)
            return .answer("200 OK")
        }
        let service = try #require(URL(string: "http://127.0.0.1:\(server.port)/a%20b?c=1"))
        ledger.note("uuid:1", at: service)
        ledger.note("uuid:2", at: try #require(URL(string: "http://127.0.0.1:1/nobody")))
        ledger.note("uuid:3", at: try #require(URL(string: "http://name.invalid/")))
        ledger.endAll()
        await eventually("the device is told") { !requests.all.isEmpty }
        let request = requests.all[0]
        #expect(
            request.hasPrefix("UNSUBSCRIBE /a%20b?c=1 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nSID: uuid:1\r\n"))
        #expect(ledger.identifiers == [])
        await server.close()
    }
}

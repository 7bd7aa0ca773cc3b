import DeviceConnections
import Foundation
import NIOPosix
import Testing

@testable import DLNAExtension
@testable import DLNAProtocol

@Suite(.timeLimit(.minutes(1)))
struct DeviceHTTPClientTests {
    private static let limits = DeviceHTTPClient.Limits(size: 4096)
    /// For servers that never answer: however slow the machine, they do not.
    private static let short = DeviceHTTPClient.Limits(
        silence: .milliseconds(200), total: .milliseconds(600), size: 1 << 20)

    /// Returns the outcome of a request to a server with that behaviour.
    private func outcome<Value: Sendable>(
        _ limits: DeviceHTTPClient.Limits = limits, _ reply: @escaping @Sendable (String) -> ScriptedServer.Reply,
        _ request: @Sendable (DeviceHTTPClient, URL) async throws(DeviceFailure) -> Value
    ) async throws -> Result<Value, DeviceFailure> {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ScriptedServer.start(on: group, reply: reply)
        let client = DeviceHTTPClient(limits: limits)
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/d/description.xml"))
        let result: Result<Value, DeviceFailure>
        do throws(DeviceFailure) { result = .success(try await request(client, url)) } catch {
            result = .failure(error)
        }
        await server.close()
        return result
    }

    private func get(
        _ limits: DeviceHTTPClient.Limits = limits, _ reply: @escaping @Sendable (String) -> ScriptedServer.Reply
    ) async throws -> Result<DeviceAnswer, DeviceFailure> {
        try await outcome(limits, reply) { (client, url) async throws(DeviceFailure) in
            try await client.send(DeviceRequest(method: "GET", url: url))
        }
    }

    @Test func readsAnAnswerWithItsHeaders() async throws {
        let answer = try await get { _ in .answer("200 OK", ["SID: uuid:1", "Sid: uuid:2"], "hello") }.get()
        #expect(answer.status == 200)
        #expect(answer.headers["sid"] == "uuid:1")
        #expect(String(decoding: answer.body, as: UTF8.self) == "hello")
    }

    @Test(arguments: ["0", "65536", "99999999999"]) func refusesWhatIsNoPort(_ port: String) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/control"))
        let client = DeviceHTTPClient(limits: Self.limits)
        await #expect(throws: DeviceFailure.unreachable("no port in \(url)")) {
            try await client.send(DeviceRequest(method: "GET", url: url))
        }
    }

    @Test func handsOnEveryStatus() async throws {
        #expect(try await get { _ in .answer("500 Internal Server Error", [], "x") }.get().status == 500)
    }

    @Test func givesUpOnAServerThatNeverAnswers() async throws {
        #expect(try await get(Self.short) { _ in .silence(after: []) } == .failure(.timedOut))
        #expect(
            try await get(Self.short) { _ in
                .silence(after: Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab".utf8))
            }
                == .failure(.timedOut))
    }

    @Test func endsAtOnceWhenItIsCancelled() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let request = Task {
            try await get { _ in
                ask.finish()
                return .silence(after: [])
            }
        }
        for await _ in asked {}
        request.cancel()
        #expect(try await request.value == .failure(.cancelled))
    }

    @Test func givesUpOnAServerThatAnswersByteByByte() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n".utf8)
        #expect(try await get(Self.short) { _ in .drip(after: head) } == .failure(.timedOut))
    }

    @Test func refusesAnEndlessAnswer() async throws {
        let piece = Array(("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 999)).utf8)
        #expect(try await get { _ in .endless(piece) } == .failure(.tooLarge))
        #expect(
            try await get { _ in .answer("200 OK", [], String(repeating: "x", count: 5000)) } == .failure(.tooLarge))
    }

    @Test func tellsATruncatedAnswer() async throws {
        let truncated = try await get { _ in
            .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nabc".utf8))
        }
        #expect(truncated == .failure(.malformed("its answer is incomplete")))
        for rubbish in ["", "rubbish\r\n\r\n", "HTTP/1.1 999999999999 X\r\n\r\n"] {
            let answer = try await get { _ in .bytes(Array(rubbish.utf8)) }
            #expect(throws: DeviceFailure.self, "\(rubbish)") { try answer.get() }
        }
    }

    @Test func tellsThatNobodyListens() async throws {
        let client = DeviceHTTPClient(limits: Self.limits)
        let server = try await ScriptedServer.start(on: MultiThreadedEventLoopGroup.singleton) { _ in .bytes([]) }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        await server.close()
        await #expect {
            _ = try await client.send(DeviceRequest(method: "GET", url: url))
        } throws: { error in
            (error as? DeviceFailure)?.isSilence == true
        }
    }

    @Test func followsRedirectsOnTheHostOnly() async throws {
        let document = { (target: String) in
            try await self.outcome(
                Self.limits,
                { request in
                    request.hasPrefix("GET /there ")
                        ? .answer("200 OK", [], "found") : .answer("302 Found", ["Location: \(target)"])
                }
            ) { (client, url) async throws(DeviceFailure) in try await client.document(at: url) }
        }
        let found = try await document("/there").get()
        #expect(String(decoding: found.body, as: UTF8.self) == "found")
        #expect(found.url.path == "/there")
        for target in ["http://192.0.2.1/there", "https://127.0.0.1/there", "file:///there"] {
            let answer = try await document(target)
            #expect { try answer.get() } throws: { error in
                if case DeviceFailure.redirected = error { true } else { false }
            }
        }
        let circle = try await document("/circle")
        #expect { try circle.get() } throws: { error in
            if case DeviceFailure.redirected = error { true } else { false }
        }
        let missing = try await outcome(Self.limits, { _ in .answer("404 Not Found") }) {
            (client, url) async throws(DeviceFailure) in
            try await client.document(at: url)
        }
        #expect { try missing.get() } throws: { $0 as? DeviceFailure == .status(404) }
    }

    /// Returns gmediarender's level as read from a server with that behaviour.
    private func volume(
        _ reply: @escaping @Sendable (String) -> ScriptedServer.Reply
    ) async throws -> Result<Int, DeviceFailure> {
        let description = try Fixtures.bytes("gmediarender/description.xml")
        return try await outcome(Self.limits, reply) { (client, url) async throws(DeviceFailure) in
            guard let renderer = try? RendererDescription.renderers(in: description, location: url).first else {
                throw .noService("renderer")
            }
            return try await RendererClient(renderer, transport: client).volume()
        }
    }

    @Test func callsActions() async throws {
        let answer = try Fixtures.text("gmediarender/GetVolume.xml")
        let requests = RequestLog()
        #expect(
            try await volume {
                requests.append($0)
                return .answer("200 OK", [], answer)
            } == .success(100))
        let request = requests.all[0].lowercased()
        #expect(request.hasPrefix("post /upnp/control/rendercontrol1 http/1.1"))
        #expect(request.contains("soapaction: \"urn:schemas-upnp-org:service:renderingcontrol:1#getvolume\""))
        #expect(request.contains("content-type: text/xml; charset=\"utf-8\""))
        let fault = try Fixtures.text("rygel/fault-Play-without-uri.xml")
        #expect(
            try await volume { _ in .answer("500 Internal Server Error", [], fault) }
                == .failure(.fault(UPnPFault(code: 701, text: "Transition not available"))))
        #expect(
            try await volume { _ in .answer("200 OK", [], fault) }
                == .failure(.fault(UPnPFault(code: 701, text: "Transition not available"))))
        #expect(try await volume { _ in .answer("500 Oops", [], "<html/>") } == .failure(.status(500)))
        #expect(
            try await volume { _ in .answer("200 OK", [], "<html/>") } == .failure(.unreadable(.unexpected("html"))))
    }
}

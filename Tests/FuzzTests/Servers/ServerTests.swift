import DLNAProtocol
import DeviceConnections
import Foundation
import HostCore
import Logging
import NIOPosix
import Testing

@testable import DLNAExtension
@testable import HostFiles

/// Complete HTTP servers and clients over real connections; at the end they still work.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServerTests {
    private static let words = [
        "\r\n", "HTTP/1.1", "GET ", "NOTIFY ", "Content-Length: ", "Transfer-Encoding: chunked\r\n", "Range: bytes=",
        "Connection: keep-alive\r\n", "Expect: 100-continue\r\n", "0\r\n\r\n", "Host: ", ": ",
    ]

    @Test func theFileServer() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-fuzz-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "tone.mp3")
        try Data(repeating: 7, count: 1_000).write(to: source)
        let server = HummingbirdFileServer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let file = try await server.serve(source, to: ["127.0.0.1"])
        let port = try #require(file.url.port)
        let path = file.url.path(percentEncoded: true)
        let corpus = try FuzzTarget.fileRequest.corpus().map { request in
            let text = String(decoding: request, as: UTF8.self)
            return Array(text.replacing("/0123/tone.mp3", with: path).replacing("/x", with: path).utf8)
        }
        var run = FuzzRun("file-server", usual: 500)
        try await run.perform(corpus: corpus, words: Self.words + [path]) { request in
            RawExchange.status(of: try await RawExchange.ask(port: port, request))
        }
        if run.isUsual {
            #expect(Set(["200", "206", "404", "400"]).isSubset(of: run.outcomes.keys), "\(run.outcomes)")
        }
        let answer = try await RawExchange.ask(
            port: port, Array("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8))
        #expect(
            RawExchange.status(of: answer) == "200" && answer.suffix(1_000) == Array(repeating: 7, count: 1_000)[...])
        await server.stop()
    }

    @Test func theServerOfEvents() async throws {
        let server = try await EventServer.listening(on: "127.0.0.1", group: MultiThreadedEventLoopGroup.singleton)
        let (callback, path) = server.makeCallback()
        server.register(.init(device: "127.0.0.1") { _, _ in .accepted }, path: path)
        let port = try #require(URL(string: callback)?.port)
        func event(_ headers: String, _ body: String) -> [UInt8] {
            Array(
                "NOTIFY \(path) HTTP/1.1\r\nHost: x\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8
            )
        }
        let good = event("NT: upnp:event\r\nNTS: upnp:propchange\r\nSID: uuid:1\r\nSEQ: 7\r\n", "<e/>")
        let chunked =
            "NOTIFY \(path) HTTP/1.1\r\nNT: upnp:event\r\nNTS: upnp:propchange\r\nSID: uuid:1\r\nSEQ: 0\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n4\r\n<e/>\r\n0\r\n\r\n"
        let corpus = [
            good, good + good, Array(chunked.utf8), event("NT: upnp:event\r\n", ""),
            Array("GET / HTTP/1.0\r\n\r\n".utf8),
        ]
        var run = FuzzRun("event-server", usual: 500)
        try await run.perform(corpus: corpus, words: Self.words + ["NT: ", "SEQ: ", path]) { request in
            RawExchange.status(of: try await RawExchange.ask(port: port, request))
        }
        if run.isUsual { #expect(Set(["200", "400", "404"]).isSubset(of: run.outcomes.keys), "\(run.outcomes)") }
        #expect(RawExchange.status(of: try await RawExchange.ask(port: port, good)) == "200")
        await server.close()
    }

    @Test func theClientOfDevices() async throws {
        let server = try RawServer()
        let client = DeviceHTTPClient(limits: .init(silence: .seconds(10), total: .seconds(20), size: 4096))
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/description.xml"))
        func answers(_ bytes: [UInt8]) async throws -> Result<DeviceAnswer, DeviceFailure> {
            async let answered: Void = server.answerOne(bytes)
            let result: Result<DeviceAnswer, DeviceFailure>
            do throws(DeviceFailure) {
                result = .success(try await client.send(DeviceRequest(method: "GET", url: url)))
            } catch {
                result = .failure(error)
            }
            try await answered
            return result
        }
        let good = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nSID: uuid:1\r\n\r\n<a/>"
        let corpus = [
            good, "HTTP/1.0 200 OK\r\n\r\n<a/>", "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<a\r\n2;x\r\n/>\r\n0\r\nT: x\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n" + good, "ICY 200 OK\r\n\r\n",
        ].map { Array($0.utf8) }
        var run = FuzzRun("device-client", usual: 500)
        try await run.perform(corpus: corpus, words: Self.words) { bytes in
            switch try await answers(bytes) {
            case .success(let answer):
                try demand(answer.body.count <= 4096, "a body of \(answer.body.count) bytes")
                return "answer"
            case .failure(let failure):
                try demand(failure != .timedOut, "an answer that ended was waited for")
                return "failure"
            }
        }
        if run.isUsual { #expect(Set(["answer", "failure"]).isSubset(of: run.outcomes.keys), "\(run.outcomes)") }
        #expect(try await answers(Array(good.utf8)).get().body == Array("<a/>".utf8))
    }
}

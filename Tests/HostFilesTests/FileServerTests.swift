import Foundation
import HostCore
import HostInterface
import HostSockets
import Logging
import Testing

@testable import HostFiles

@Suite(.timeLimit(.minutes(1))) struct FileServerTests {
    let folder = TemporaryFolder()
    let server = HummingbirdFileServer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    private static let curl = "/usr/bin/curl"

    func serve(_ name: String, _ bytes: [UInt8], to devices: [String] = ["127.0.0.1"]) async throws
        -> ServedFile
    {
        try await server.serve(try folder.write(bytes, to: name), to: devices)
    }

    func path(_ file: ServedFile) -> String { file.url.path(percentEncoded: true) }

    @Test func wholeFileOverAKeptConnection() async throws {
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = try await serve("Ä film #1?.mkv", bytes)
        #expect(file.contentType == "video/x-matroska")
        #expect(file.url.absoluteString.hasSuffix("/%C3%84%20film%20%231%3F.mkv"))
        #expect(file.id.count == 32 && file.url.path().hasPrefix("/" + file.id))
        #expect(await !server.wasFetched(file))
        let client = try RawClient(to: file.url)
        for _ in 0..<2 {
            let head = try await client.request("GET", path(file))
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "700000")
            #expect(head.headers["content-type"] == "video/x-matroska")
            #expect(head.headers["accept-ranges"] == "bytes")
            #expect(head.headers["last-modified"]?.hasSuffix(" GMT") == true)
            #expect(try await client.body(700_000) == bytes)
        }
        #expect(await server.wasFetched(file))
        await server.withdraw(file)
    }

    @Test func subtitlesBesideTheFileAreServedAsWebVTT() async throws {
        _ = try folder.write(Array("1\n00:00:01,000 --> 00:00:02,000\nHallo\n".utf8), to: "film.de.srt")
        _ = try folder.write(Array("no subtitles".utf8), to: "film.srt")
        _ = try folder.write([1], to: "other.en.srt")
        let source = try folder.write([1, 2, 3], to: "film.mp4")
        let file = try await server.serve(source, to: ["127.0.0.1"])
        let subtitles = try #require(file.subtitles?.first)
        #expect(file.subtitles?.count == 1 && subtitles.name == "German" && subtitles.language == "de")
        #expect(subtitles.url.lastPathComponent == "film.de.vtt" && subtitles.id != file.id)
        let text = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHallo\n"
        let path = subtitles.url.path(percentEncoded: true)
        let client = try RawClient(to: subtitles.url)
        let head = try await client.request("GET", path, ["Origin": "https://www.gstatic.com"])
        #expect(head.status == 200 && head.headers["content-type"] == "text/vtt")
        #expect(head.headers["access-control-allow-origin"] == "*")
        #expect(try await client.body(text.utf8.count) == Array(text.utf8))
        // The next daemon serves them at the same place.
        await server.makeWay()
        let next = HummingbirdFileServer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await next.resume(file, of: source, to: ["127.0.0.1"])
        let again = try RawClient(to: subtitles.url)
        #expect(try await again.request("GET", path, ["Range": "bytes=0-5"]).status == 206)
        #expect(try await again.body(6) == Array("WEBVTT".utf8))
        await next.withdraw(file)
        #expect(await next.transferCount == 0)
        await server.withdraw(file)
    }

    /// A device continues to read while the next process listens at the same address.
    @Test func anotherProcessListensWhereThisOneDid() async throws {
        // More than the kernel takes at once, and nowhere in memory as a whole: another test measures that.
        let source = try folder.write([7, 7, 7], to: "long.mp3")
        #expect(truncate(source.path, 30_000_000) == 0)
        let file = try await server.serve(source, to: ["127.0.0.1"])
        let reader = try RawClient(to: file.url)
        let head = try await reader.request("GET", path(file))
        #expect(head.headers["content-length"] == "30000000")
        await server.makeWay()
        #expect(await server.transferCount == 1)
        let next = HummingbirdFileServer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await next.resume(file, of: source, to: ["127.0.0.1"])
        let resuming = try RawClient(to: file.url)
        let part = try await resuming.request("GET", path(file), ["Range": "bytes=0-2"])
        #expect(part.status == 206)
        #expect(try await resuming.body(3) == [7, 7, 7])
        for _ in 0..<30 { #expect(try await reader.body(1_000_000).count == 1_000_000) }
        #expect(try await reader.request("HEAD", path(file)).status == 200, "a connection is kept")
        await server.stop()
        await server.finished()
        await next.withdraw(file)
    }

    @Test func rangesAndHeadRequests() async throws {
        let bytes = Array("0123456789".utf8)
        let file = try await serve("a.mp3", bytes)
        let client = try RawClient(to: file.url)
        for (range, text) in [("2-4", "234"), ("7-", "789"), ("-3", "789"), ("0-99", "0123456789")] {
            let head = try await client.request("GET", path(file), ["Range": "bytes=\(range)"])
            #expect(head.status == 206)
            #expect(head.headers["content-range"]?.hasSuffix("/10") == true)
            #expect(try await client.body(text.utf8.count) == Array(text.utf8))
        }
        let beyond = try await client.request("GET", path(file), ["Range": "bytes=10-"])
        #expect(beyond.status == 416 && beyond.headers["content-range"] == "bytes */10")
        let head = try await client.request("HEAD", path(file))
        #expect(head.status == 200 && head.headers["content-length"] == "10")
        let post = try await client.request("POST", path(file), ["Content-Length": "0"])
        #expect(post.status == 405 && post.headers["allow"] == "GET, HEAD")
        let tag = try #require(head.headers["etag"])
        let same = try await client.request("GET", path(file), ["If-None-Match": tag])
        #expect(same.status == 304)
        let empty = try await serve("empty.mp3", [])
        #expect(try await client.request("GET", path(empty)).headers["content-length"] == "0")
        await server.stop()
    }

    @Test func dlnaHeadersOnlyWhenAskedFor() async throws {
        let file = try await serve("a.mp4", [1])
        let client = try RawClient(to: file.url)
        let plain = try await client.request("HEAD", path(file))
        #expect(!plain.headers.keys.contains { $0.contains("dlna") })
        let asked = try await client.request(
            "HEAD", path(file), ["getcontentFeatures.dlna.org": "1", "transferMode.dlna.org": "streaming"])
        #expect(
            asked.headers["contentfeatures.dlna.org"]
                == "DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=01700000000000000000000000000000")
        #expect(asked.headers["transfermode.dlna.org"] == "Streaming")
        #expect(try await client.request("HEAD", path(file), ["getcontentFeatures.dlna.org": "2"]).status == 400)
        await server.stop()
    }

    @Test func withdrawingCutsTransfersAndClosesTheSocketWithTheLastFile() async throws {
        let size = 64 << 20
        let file = try await server.serve(try folder.sparse(size, name: "big.mkv"), to: ["127.0.0.1"])
        let other = try await serve("a.mp3", [1])
        let slow = try RawClient(to: file.url, receiveBuffer: 4096)
        #expect(try await slow.request("GET", path(file)).headers["content-length"] == "\(size)")
        #expect(try await slow.body(1000).count == 1000)
        await server.withdraw(file)
        #expect(await slow.drain() < size)
        let client = try RawClient(to: other.url)
        #expect(try await client.request("GET", path(file)).status == 404)
        #expect(try await client.request("GET", path(other)).status == 200)
        await server.withdraw(other)
        await server.withdraw(other)
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(to: other.url) }
        let again = try await serve("a.mp3", [1])
        let newClient = try RawClient(to: again.url)
        #expect(try await newClient.request("GET", path(again)).status == 200)
        await server.stop()
    }

    @Test func anotherProcessServesItAgainAtTheSameAddress() async throws {
        let bytes = Array("0123456789".utf8)
        let source = try folder.write(bytes, to: "a song.mp3")
        let file = try await server.serve(source, to: ["127.0.0.1"])
        let before = try RawClient(to: file.url)
        let tag = try await before.request("HEAD", path(file)).headers["etag"]
        await server.stop()
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(to: file.url) }

        let next = HummingbirdFileServer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await next.resume(file, of: source, to: ["127.0.0.1"])
        let client = try RawClient(to: file.url)
        let part = try await client.request("GET", path(file), ["Range": "bytes=4-"])
        #expect(part.status == 206 && part.headers["etag"] == tag)
        #expect(try await client.body(6) == Array("456789".utf8))
        let stranger = try RawClient(to: file.url, from: "127.0.0.2")
        await #expect(throws: RawClient.Failure.self) { try await stranger.request("GET", path(file)) }
        await next.withdraw(file)
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(to: file.url) }
        await next.stop()
    }

    @Test func aPortThatIsTakenIsAnError() async throws {
        let source = try folder.write([1], to: "a.mp3")
        let file = try await server.serve(source, to: ["127.0.0.1"])
        let next = HummingbirdFileServer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let error = await #expect(throws: HostError.self) {
            try await next.resume(file, of: source, to: ["127.0.0.1"])
        }
        #expect(error?.code == .hostUnavailable)
        let missing = await #expect(throws: HostError.self) {
            try await next.resume(file, of: source.appending(path: "missing"), to: ["127.0.0.1"])
        }
        #expect(missing?.code == .fileNotFound)
        await next.stop()
        await server.stop()
    }

    @Test func aSlowDeviceDoesNotFillTheMemory() async throws {
        let size = 512 << 20
        let file = try await server.serve(try folder.sparse(size, name: "big.mkv"), to: ["127.0.0.1"])
        let before = residentBytes()
        let slow = try RawClient(to: file.url, receiveBuffer: 4096)
        _ = try await slow.request("GET", path(file))
        // Another request answered on the same thread shows that the first one is waiting and not reading on.
        let quick = try RawClient(to: file.url)
        for _ in 0..<50 {
            #expect(try await quick.request("GET", path(file), ["Range": "bytes=0-9"]).status == 206)
            _ = try await quick.body(10)
        }
        #expect(residentBytes() - before < 64 << 20)
        await server.stop()
    }

    @Test func beyondFourGibibytes() async throws {
        let size = (5 << 30) + 7
        let file = try await server.serve(try folder.sparse(size, name: "big.mkv"), to: ["127.0.0.1"])
        let client = try RawClient(to: file.url)
        let head = try await client.request("GET", path(file), ["Range": "bytes=-7"])
        #expect(head.headers["content-range"] == "bytes \(size - 7)-\(size - 1)/\(size)")
        #expect(try await client.body(7) == [UInt8](repeating: 0, count: 7))
        #expect(try await client.request("HEAD", path(file)).headers["content-length"] == "\(size)")
        await server.stop()
    }

    @Test func aFileThatShrinksBreaksTheTransferOff() async throws {
        let size = 64 << 20
        let location = try folder.sparse(size, name: "big.mkv")
        let file = try await server.serve(location, to: ["127.0.0.1"])
        let client = try RawClient(to: file.url, receiveBuffer: 4096)
        _ = try await client.request("GET", path(file))
        #expect(truncate(location.path, 1 << 20) == 0)
        #expect(await client.drain() < size)
        let next = try RawClient(to: file.url)
        #expect(try await next.request("HEAD", path(file)).headers["content-length"] == "\(1 << 20)")
        await server.stop()
    }

    @Test func theNameMayComeToMeanAnotherFile() async throws {
        let location = try folder.write(Array("public".utf8), to: "a.mp3")
        let file = try await server.serve(location, to: ["127.0.0.1"])
        try FileManager.default.removeItem(at: location)
        try FileManager.default.createSymbolicLink(atPath: location.path, withDestinationPath: "/etc/passwd")
        let client = try RawClient(to: file.url)
        _ = try await client.request("GET", path(file))
        #expect(try await client.body(6) == Array("public".utf8))
        await server.stop()
    }

    @Test func whatIsNoReadableRegularFileIsRefused() async throws {
        let pipe = folder.path + "/pipe.mp3"
        #expect(mkfifo(pipe, 0o600) == 0)
        for (path, code) in [
            (folder.path + "/absent.mp3", HostError.Code.fileNotFound), (folder.path, .invalidArgument),
            (pipe, .invalidArgument), ("/dev/zero", .invalidArgument),
        ] {
            do {
                _ = try await server.serve(URL(fileURLWithPath: path), to: ["127.0.0.1"])
                Issue.record("\(path) is served")
            } catch {
                #expect((error as? HostError)?.code == code)
            }
        }
        await #expect(throws: HostError.self) {
            try await server.serve(try folder.write([1], to: "a.mp3"), to: ["tv.local"])
        }
    }

    @Test func aFixedRangeOfPorts() async throws {
        // A port that is free now; the range of one is exhausted as soon as another server has it.
        let probe = try await serve("a.mp3", [1])
        let port = try #require(probe.url.port)
        await server.stop()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let fixed = HummingbirdFileServer(ports: try FilePorts("\(port)"), logger: logger)
        let file = try await fixed.serve(try folder.write([1], to: "a.mp3"), to: ["127.0.0.1"])
        #expect(file.url.port == port)
        let second = HummingbirdFileServer(ports: try FilePorts("\(port)-\(port)"), logger: logger)
        await #expect(
            throws: HostError(
                .hostUnavailable, "Files cannot be served on 127.0.0.1: no port of \(port)-\(port) is free.")
        ) {
            try await second.serve(try folder.write([1], to: "b.mp3"), to: ["127.0.0.1"])
        }
        await fixed.stop()
        let retried = try await second.serve(try folder.write([1], to: "b.mp3"), to: ["127.0.0.1"])
        #expect(retried.url.port == port)
        await second.stop()
    }

    @Test(.enabled(if: NumericAddress("::1")?.reachedFrom != nil, "needs IPv6 on loopback"))
    func overIPv6() async throws {
        let file = try await serve("a.mp3", Array("six".utf8), to: ["::1"])
        #expect(file.url.host() == "::1")
        let (data, status) = try await fetch(file.url)
        #expect(status == 0 && data == Data("six".utf8))
        await server.stop()
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: curl), "needs curl"))
    func anOrdinaryClientResumesADownload() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let file = try await serve("song one.flac", bytes)
        let part = try folder.write(Array(bytes[..<100_000]), to: "part")
        let (_, status) = try await fetch(file.url, ["--continue-at", "-", "--output", part.path])
        #expect(status == 0)
        #expect(try Data(contentsOf: part) == Data(bytes))
        await server.stop()
    }

    private func fetch(_ url: URL, _ options: [String] = []) async throws -> (Data, Int32) {
        let client = Process()
        let output = Pipe()
        client.executableURL = URL(fileURLWithPath: Self.curl)
        client.arguments = ["--silent", "--fail", "--max-time", "20"] + options + [url.absoluteString]
        client.standardOutput = output
        let (statuses, ended) = AsyncStream<Int32>.makeStream()
        client.terminationHandler = { ended.yield($0.terminationStatus) }
        try client.run()
        for await status in statuses {
            // The responses in these tests fit into the pipe.
            return (output.fileHandleForReading.readDataToEndOfFile(), status)
        }
        throw CancellationError()
    }

    private func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }
}

import Foundation
import Glibc
import HostCore
import HostInterface
import Logging
import Testing

@testable import HostFiles

@Suite(.timeLimit(.minutes(1))) struct StreamServerTests {
    private let server = HummingbirdFileServer(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    private func path(_ file: ServedFile) -> String { file.url.path(percentEncoded: true) }

    @Test func itIsServedAsItComes() async throws {
        let pipe = try WritingEnd()
        try pipe.write("fLaC and the rest ")
        let file = try await server.serve(pipe.stream(), as: .wave, to: ["127.0.0.1"])
        #expect(file.contentType == "audio/flac" && file.url.lastPathComponent == "stream.flac")
        let prober = try RawClient(to: file.url)
        let probe = try await prober.request("HEAD", path(file), ["getcontentFeatures.dlna.org": "1"])
        #expect(probe.status == 200 && probe.headers["content-type"] == "audio/flac")
        #expect(probe.headers["access-control-allow-origin"] == "*")
        #expect(probe.headers["contentfeatures.dlna.org"]?.hasPrefix("DLNA.ORG_OP=00;") == true)
        let script = try RawClient(to: file.url)
        let permission = try await script.request("OPTIONS", path(file), ["Access-Control-Request-Headers": "range"])
        #expect(permission.status == 204 && permission.headers["access-control-allow-headers"] == "Range")
        let client = try RawClient(to: file.url)
        let head = try await client.request("GET", path(file), ["Range": "bytes=2-"])
        #expect(head.status == 200 && head.headers["content-length"] == nil)
        #expect(head.headers["accept-ranges"] == "none" && head.headers["transfer-encoding"] == "chunked")
        #expect(try await client.chunk() == Array("fLaC and the rest ".utf8))
        try pipe.write("more")
        #expect(try await client.chunk() == Array("more".utf8))
        pipe.close()
        #expect(try await client.chunk() == [])
        let stranger = try RawClient(to: file.url, from: "127.0.0.2")
        await #expect(throws: RawClient.Failure.self) { try await stranger.request("GET", path(file)) }
        await server.stop()
    }

    /// Renderers look at the beginning first and ask again to play; Kodi asks again while it plays.
    @Test func whoAsksAgainGetsTheBeginningAndEndsNoReader() async throws {
        let pipe = try WritingEnd()
        let beginning = Array("OggS".utf8) + (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        try pipe.write(beginning)
        let file = try await server.serve(pipe.stream(), as: .wave, to: ["127.0.0.1"])
        let first = try RawClient(to: file.url)
        _ = try await first.request("GET", path(file))
        #expect(try await first.chunk() == beginning)
        // The first one waits for more meanwhile.
        let second = try RawClient(to: file.url)
        _ = try await second.request("GET", path(file), ["Range": "bytes=0-"])
        #expect(try await second.chunk() == beginning)
        for part in ["the rest", "and more"] {
            try pipe.write(part)
            #expect(try await first.chunk() == Array(part.utf8))
            #expect(try await second.chunk() == Array(part.utf8))
        }
        pipe.close()
        for client in [first, second] { #expect(try await client.chunk() == []) }
        await server.stop()
    }

    @Test func whoIsTooFarBehindIsEnded() async throws {
        let pipe = try WritingEnd()
        try pipe.write([1, 2, 3, 4])
        let feed = try StreamFeed(pipe.stream(SampleFormat(encoding: "s16le")), as: .linear)
        _ = try await feed.begin()
        var (slow, fast) = (await feed.reader(), await feed.reader())
        // The macro takes no calls that change a value.
        let beginnings = [try await feed.next(&slow), try await feed.next(&fast)]
        #expect(beginnings == [[2, 1, 4, 3], [2, 1, 4, 3]])
        let block = [UInt8](repeating: 5, count: 1 << 15)
        for _ in 0..<32 {
            try pipe.write(block)
            var rest = block.count
            while rest > 0 { rest -= try await feed.next(&fast)?.count ?? rest }
        }
        let missed = try await feed.next(&slow)
        #expect(missed == nil)
        // One that begins now gets what follows.
        var late = await feed.reader()
        try pipe.write([6, 7, 8, 9])
        let following = try await feed.next(&late)
        #expect(following == [7, 6, 9, 8])
        feed.end()
    }

    /// Kodi looks there for subtitles while it plays.
    @Test func whoAsksForTheFolderEndsNoReader() async throws {
        let pipe = try WritingEnd()
        let beginning = Array("OggS".utf8) + (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        try pipe.write(beginning)
        let file = try await server.serve(pipe.stream(), as: .wave, to: ["127.0.0.1"])
        let reader = try RawClient(to: file.url)
        _ = try await reader.request("GET", path(file))
        #expect(try await reader.chunk() == beginning)
        let folder = try RawClient(to: file.url)
        let answer = try await folder.request("GET", "/\(file.id)/")
        #expect("\(answer)".contains("404"), "\(answer)")
        try pipe.write("the rest")
        #expect(try await reader.chunk() == Array("the rest".utf8))
        await server.stop()
    }

    @Test func samplesGetAHeader() async throws {
        let pipe = try WritingEnd()
        try pipe.write([1, 2, 3, 4, 5, 6, 7])
        let samples = try SampleFormat(encoding: "s24le", rate: 48_000, channels: 1)
        let file = try await server.serve(pipe.stream(samples), as: .wave, to: ["127.0.0.1"])
        pipe.close()
        #expect(file.contentType == "audio/wav")
        let client = try RawClient(to: file.url)
        _ = try await client.request("GET", path(file))
        let bytes = try await client.chunk()
        #expect(bytes.count == 50 && bytes.suffix(6) == [1, 2, 3, 4, 5, 6], "whole frames")
        #expect(Array(bytes[20..<24]) == [1, 0, 1, 0], "PCM, one channel")
        #expect(Array(bytes[24..<32]) == [0x80, 0xBB, 0, 0, 0x80, 0x32, 0x02, 0], "48,000 and 144,000 a second")
        #expect(Array(bytes[32..<36]) == [3, 0, 24, 0])
        await server.stop()
    }

    @Test func anEmptyOneIsAnError() async throws {
        for samples in [nil, try SampleFormat(encoding: "s16le")] {
            let pipe = try WritingEnd()
            pipe.close()
            let error = await #expect(throws: HostError.self) {
                try await server.serve(pipe.stream(samples), as: .wave, to: ["127.0.0.1"])
            }
            #expect(error?.code == .invalidArgument && error?.message == "There is nothing in the stream.")
        }
    }

    @Test func whatIsNoMediaIsRefusedByItsContent() async throws {
        for (content, kind) in [("kettle\n", "a text file"), ("%PDF-1.7 and so on", "a PDF document")] {
            let pipe = try WritingEnd()
            try pipe.write(content)
            pipe.close()
            let error = await #expect(throws: HostError.self) {
                try await server.serve(pipe.stream(), as: .wave, to: ["127.0.0.1"])
            }
            #expect(error?.code == .unsupportedFormat)
            #expect(error?.message == "The stream is \(kind), not audio or video.")
        }
        await server.stop()
    }

    /// Real time: a writer that keeps sending text is refused after a second.
    @Test func textWithoutAnEndIsRefused() async throws {
        let pipe = try WritingEnd()
        try pipe.write("a first line of a log\n")
        let error = await #expect(throws: HostError.self) {
            try await server.serve(pipe.stream(), as: .wave, to: ["127.0.0.1"])
        }
        #expect(error?.code == .unsupportedFormat)
        pipe.close()
        await server.stop()
    }

    @Test func aTextHeaderBeforeMediaIsNoText() async throws {
        let pipe = try WritingEnd()
        try pipe.write("YUV4MPEG2 W320 H240 F25:1\n")
        let stream = pipe.stream()
        async let served = server.serve(stream, as: .wave, to: ["127.0.0.1"])
        try pipe.write([0, 1, 2, 3])
        #expect(try await served.url.lastPathComponent.hasPrefix("stream"))
        pipe.close()
        await server.stop()
    }

    @Test func aDeviceMayGetBareSamples() async throws {
        let pipe = try WritingEnd()
        try pipe.write([1, 2, 3, 4, 5])
        let file = try await server.serve(pipe.stream(SampleFormat(encoding: "s16le")), as: .linear, to: ["127.0.0.1"])
        try pipe.write([6, 7, 8])
        pipe.close()
        #expect(file.contentType == "audio/L16;rate=44100;channels=2")
        let client = try RawClient(to: file.url)
        _ = try await client.request("GET", path(file))
        var bytes = try await client.chunk()
        while bytes.count < 8 { bytes += try await client.chunk() }
        #expect(bytes == [2, 1, 4, 3, 6, 5, 8, 7])
        await server.stop()
    }

    @Test func samplesMayLookLikeText() async throws {
        let pipe = try WritingEnd()
        try pipe.write("kettle\n")
        pipe.close()
        let file = try await server.serve(
            pipe.stream(SampleFormat(encoding: "s16le", rate: 44_100, channels: 2)), as: .wave,
            to: ["127.0.0.1"])
        #expect(file.contentType == "audio/wav")
        await server.stop()
    }

    @Test func theWriterWaitsForASlowDevice() async throws {
        let pipe = try WritingEnd()
        try pipe.write("RIFF....WAVE")
        let file = try await server.serve(pipe.stream(), as: .wave, to: ["127.0.0.1"])
        let slow = try RawClient(to: file.url, receiveBuffer: 4096)
        _ = try await slow.request("GET", path(file))
        // The most that the kernel and this side may buffer together.
        let most = 32 << 20
        var written = 0
        var attempts = 0
        while written < most, attempts < 200 {
            let count = pipe.writeWithoutWaiting(1 << 16)
            written += count
            attempts = count == 0 ? attempts + 1 : 0
            // A whole answer on another connection lets the server get on.
            if count == 0 { _ = try await RawClient(to: file.url).request("HEAD", path(file)) }
        }
        #expect(written < most)
        await server.stop()
    }

    @Test func theWriterHearsOfTheEnd() async throws {
        let pipe = try WritingEnd()
        try pipe.write("RIFF....WAVE")
        let file = try await server.serve(pipe.stream(), as: .wave, to: ["127.0.0.1"])
        let client = try RawClient(to: file.url)
        _ = try await client.request("GET", path(file))
        _ = try await client.chunk()
        await server.withdraw(file)
        await pipe.awaitReaderGone()
        await server.stop()
    }
}

/// The end of a pipe that a program writes to.
private final class WritingEnd {
    private var reading: Int32
    private var writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
        signal(SIGPIPE, SIG_IGN)
    }

    deinit { close() }

    /// The other end; once.
    func stream(_ samples: SampleFormat? = nil) -> OpenStream { OpenStream(descriptor: reading, samples: samples) }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws { try #require(Glibc.write(writing, bytes, bytes.count) == bytes.count) }

    func writeWithoutWaiting(_ count: Int) -> Int {
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        return max(0, Glibc.write(writing, [UInt8](repeating: 0, count: count), count))
    }

    func close() {
        if writing >= 0 { Glibc.close(writing) }
        writing = -1
    }

    /// Returns once the other end is closed.
    func awaitReaderGone() async {
        let descriptor = writing
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var event = pollfd(fd: descriptor, events: 0, revents: 0)
                while poll(&event, 1, -1) < 0 {}
                continuation.resume()
            }
        }
    }
}

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP server with sample media: a tone, a film with segments and languages, and a live stream.
public struct SampleServer: Sendable {
    /// The duration of the tone and the film in seconds.
    public static let duration = 120

    private let address: String

    /// Creates a server.
    ///
    /// - Parameter address: The numeric address to listen on.
    public init(address: String) { self.address = address }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter listening: A function that is called once, with the port.
    public func run(_ listening: @Sendable (Int) async throws -> Void) async throws {
        typealias Accepted = AcceptedConnection<HTTPServerRequestPart, HTTPServerResponsePart>
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: address, port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(IdleStateHandler(writeTimeout: .seconds(30)))
                    try channel.pipeline.syncOperations.addHandler(CloseWhenIdle())
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    // So that written data arrives before the end.
                    return try Accepted(channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        try await server.executeThenClose { connections in
            try await listening(server.channel.localAddress?.port ?? 0)
            try await connections.serve { connection in
                // A player that closes the connection early is no error.
                try? await connection.executeThenClose { inbound, outbound in
                    var isAnswered = false
                    for try await part in inbound {
                        guard case .head(let head) = part, !isAnswered else { continue }
                        isAnswered = true
                        try await Self.answer(head, outbound)
                        // Closing at once would drop data that a distant player hasn't received yet: the player
                        // closes.
                        outbound.finish()
                    }
                }
            }
        }
    }

    private static func answer(
        _ request: HTTPRequestHead, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        func head(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) -> HTTPServerResponsePart {
            var headers = headers
            headers.add(name: "Connection", value: "close")
            return .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))
        }
        func send(_ pieces: [[UInt8]], _ type: String) async throws {
            let length = pieces.reduce(0) { $0 + $1.count }
            try await outbound.write(head(.ok, ["Content-Type": type, "Content-Length": "\(length)"]))
            for piece in pieces where request.method != .HEAD {
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: piece))))
            }
            try await outbound.write(.end(nil))
        }
        switch String(request.uri.prefix { $0 != "?" }) {
        case "/tone.wav": try await send(Tone.pieces(seconds: duration), "audio/wav")
        case "/film": try await send([Array(film.utf8)], Programme.contentType)
        case "/live":
            try await outbound.write(head(.ok, ["Content-Type": "audio/wav"]))
            try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: Tone.header(byteCount: .max)))))
            while request.method != .HEAD {
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: Tone.second))))
                try await Task.sleep(for: .seconds(1))
            }
            try await outbound.write(.end(nil))
        default:
            try await outbound.write(head(.notFound, ["Content-Length": "0"]))
            try await outbound.write(.end(nil))
        }
    }

    private static let film = """
        {
          "media": "tone.wav", "title": "The Sample", "subtitle": "A film of one tone",
          "segments": [
            {"id": "opening", "start": 0, "duration": 10, "kind": "intro", "isLinear": false},
            {"id": "film", "start": 10, "duration": 50, "kind": "primary", "isLinear": false},
            {"id": "break", "start": 60, "duration": 15, "kind": "advertisement", "isLinear": true},
            {"id": "end", "start": 75, "duration": 35, "kind": "primary", "isLinear": false},
            {"id": "titles", "start": 110, "duration": 10, "kind": "credits", "isLinear": false}
          ],
          "audio": [
            {"id": "en", "name": "English", "language": "en"}, {"id": "de", "name": "Deutsch", "language": "de"}
          ],
          "audioDescription": [{"id": "en-described", "name": "English, described", "language": "en"}],
          "subtitles": [
            {"id": "sub-en", "name": "English", "language": "en"}, {"id": "sub-ja", "name": "日本語", "language": "ja"}
          ]
        }
        """
}

/// A 440 Hz tone with one channel, at 8,000 16-bit samples per second.
enum Tone {
    private static let rate = 8000

    /// Returns a file as pieces: its header, then one second each.
    static func pieces(seconds: Int) -> [[UInt8]] {
        [header(byteCount: UInt32(seconds * second.count))] + Array(repeating: second, count: seconds)
    }

    /// Returns the header of a WAVE file (RFC 2361), with all bits set for an unknown length.
    static func header(byteCount: UInt32) -> [UInt8] {
        Array("RIFF".utf8) + little(byteCount == .max ? .max : byteCount + 36) + Array("WAVEfmt ".utf8)
            + little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1)) + little(UInt32(rate))
            + little(UInt32(rate * 2)) + little(UInt16(2)) + little(UInt16(16)) + Array("data".utf8)
            + little(byteCount)
    }

    /// One second of samples: 440 whole waves, so all seconds are equal.
    static let second: [UInt8] = {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rate * 2)
        for index in 0..<rate {
            bytes += little(Int16(8000 * sin(2 * Double.pi * 440 * Double(index) / Double(rate))))
        }
        return bytes
    }()

    private static func little<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        withUnsafeBytes(of: word.littleEndian) { Array($0) }
    }
}

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import ReferenceProtocol

/// An HTTP client that fetches media like a player: it reads the beginning, reports the facts, and continues to read a
/// live stream.
struct MediaFetcher: Sendable {
    /// The number of bytes to read of a file, as a player would buffer them.
    static let buffer = 8 << 20
    private static let patience = TimeAmount.seconds(10)
    private static let largestProgramme = 1 << 20

    private let group: any EventLoopGroup

    init(group: any EventLoopGroup) { self.group = group }

    /// Opens the media and reports its facts; then reads until the buffer is full, or until a live stream ends.
    ///
    /// - Throws: ``ReferenceFailure`` if the media can't be fetched, also after the call of `opened`;
    ///   `CancellationError`.
    /// - Returns: `true` if it was a live stream, which has ended.
    func play(_ media: ReferenceMedia, opened: @Sendable (MediaFacts) async -> Void) async throws -> Bool {
        guard let url = URL(string: media.url) else { throw Self.unreachable(media.url, "it is no address") }
        var facts = MediaFacts()
        var stream = try await open(url)
        if stream.contentType == Programme.contentType {
            let body = try await Self.read(&stream, Self.largestProgramme)
            await stream.close()
            guard let programme = try? JSONDecoder().decode(Programme.self, from: Data(body)),
                let target = URL(string: programme.media, relativeTo: url)
            else { throw ReferenceFailure(.unsupportedFormat, "The programme at \(url) cannot be read.") }
            facts.programme = programme
            stream = try await open(target.absoluteURL)
        }
        do {
            let isLive = try await consume(&stream, media, &facts, opened)
            await stream.close()
            return isLive
        } catch {
            await stream.close()
            throw error
        }
    }

    private func consume(
        _ stream: inout MediaStream, _ media: ReferenceMedia, _ facts: inout MediaFacts,
        _ opened: @Sendable (MediaFacts) async -> Void
    ) async throws -> Bool {
        let type = stream.contentType.isEmpty ? media.contentType ?? "" : stream.contentType
        let isPlayable = ["audio/", "video/", "application/ogg", "application/octet-stream"].contains {
            type.hasPrefix($0)
        }
        guard isPlayable else {
            throw ReferenceFailure(
                .unsupportedFormat, "\(media.url) is \(type.isEmpty ? "of no known type" : type), not audio or video.")
        }
        let head = try await Self.read(&stream, 4096)
        guard !head.isEmpty else { throw Self.unreachable(media.url, "it is empty") }
        facts.isLive = stream.length == nil
        facts.duration = MediaProbe.duration(head: head, length: stream.length)
        await opened(facts)
        var count = head.count
        while facts.isLive || count < Self.buffer, let piece = try await stream.next() { count += piece.count }
        try Task.checkCancellation()
        return facts.isLive
    }

    /// Reads up to a number of bytes.
    private static func read(_ stream: inout MediaStream, _ limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit, let piece = try await stream.next() { bytes += piece }
        return Array(bytes.prefix(limit))
    }

    private func open(_ url: URL) async throws -> MediaStream {
        guard url.scheme == "http", let host = url.host(percentEncoded: false), !host.isEmpty else {
            throw Self.unreachable(url.absoluteString, "only http: is spoken here")
        }
        do {
            let bootstrap = ClientBootstrap(group: group).connectTimeout(Self.patience)
            let inbound = try await bootstrap.connect(host: host, port: url.port ?? 80) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: Self.patience))
                    try channel.pipeline.syncOperations.addHandler(CloseWhenIdle())
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
            return try await MediaStream(inbound, url: url, host: host)
        } catch let failure as ReferenceFailure {
            throw failure
        } catch {
            throw Self.unreachable(url.absoluteString, Self.reason(error))
        }
    }

    /// The reason why a server doesn't answer, for people.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason($0.error) } ?? "its host \(error.host) isn't known"
        case let error as IOError: "its server doesn't answer (\(String(cString: strerror(error.errnoCode))))"
        case ChannelError.connectTimeout: "its server doesn't answer in time"
        default: "its server doesn't answer (\(error))"
        }
    }

    static func unreachable(_ url: String, _ why: String) -> ReferenceFailure {
        ReferenceFailure(.unreachableMedia, "\(url) cannot be opened: \(why).")
    }
}

/// The answer to one request, as a stream.
struct MediaStream {
    /// The content type in lower case, without parameters; empty if the server didn't report it.
    let contentType: String
    /// The length in bytes; `nil` for a stream without an end.
    let length: Int?
    private let channel: any Channel
    private let url: URL
    private let pieces: AsyncThrowingStream<[UInt8], any Error>
    private var iterator: AsyncThrowingStream<[UInt8], any Error>.Iterator

    fileprivate init(
        _ channel: NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>, url: URL, host: String
    ) async throws {
        self.channel = channel.channel
        self.url = url
        let (heads, headFeed) = AsyncThrowingStream.makeStream(of: HTTPResponseHead.self)
        let (pieces, feed) = AsyncThrowingStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1024))
        let request = Self.request(url, host)
        Task {
            do {
                try await channel.executeThenClose { inbound, outbound in
                    // In one go: a server that answers at once may have closed the connection before a second write.
                    try await outbound.write(contentsOf: [.head(request), .end(nil)])
                    for try await part in inbound {
                        switch part {
                        case .head(let head): headFeed.yield(head)
                        case .body(let buffer): feed.yield(Array(buffer.readableBytesView))
                        case .end: return
                        }
                    }
                }
                headFeed.finish()
                feed.finish()
            } catch {
                headFeed.finish(throwing: error)
                feed.finish(throwing: error)
            }
        }
        self.pieces = pieces
        iterator = pieces.makeAsyncIterator()
        var answer: HTTPResponseHead?
        for try await head in heads {
            answer = head
            break
        }
        guard let answer else { throw MediaFetcher.unreachable(url.absoluteString, "it hung up without an answer") }
        guard answer.status == .ok || answer.status == .partialContent else {
            try? await channel.channel.close()
            throw MediaFetcher.unreachable(
                url.absoluteString, "its server answers \(answer.status.code) \(answer.status.reasonPhrase)")
        }
        let type = answer.headers.first(name: "content-type") ?? ""
        contentType = type.prefix { $0 != ";" }.lowercased()
        length = answer.headers.first(name: "content-length").flatMap { Int($0) }
    }

    /// Returns the next piece; `nil` at the end.
    mutating func next() async throws -> [UInt8]? {
        do {
            return try await iterator.next()
        } catch {
            throw MediaFetcher.unreachable(url.absoluteString, "it broke off")
        }
    }

    func close() async { try? await channel.close() }

    private static func request(_ url: URL, _ host: String) -> HTTPRequestHead {
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        // A zone means something on this machine only.
        let bare = String(host.prefix { $0 != "%" })
        let name = (bare.contains(":") ? "[\(bare)]" : bare) + (url.port.map { ":\($0)" } ?? "")
        return HTTPRequestHead(
            version: .http1_1, method: .GET, uri: (path.isEmpty ? "/" : path) + query,
            headers: ["Host": name, "User-Agent": "mdhost-reference/1", "Connection": "close"])
    }
}

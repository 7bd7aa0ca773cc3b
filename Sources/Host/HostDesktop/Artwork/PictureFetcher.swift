import Foundation
import HostInterface
import NIOCore
import NIOHTTP1
import NIOPosix

/// Gets pictures from their addresses.
package protocol PictureFetcher: Sendable {
    /// - Throws: ``HostError`` where that cannot be done.
    func fetch(_ url: String) async throws -> [UInt8]
}

/// Reads local files and asks servers over plain HTTP, as devices on the network name them.
///
/// Five seconds, 16 MB, no redirects. `https` is refused: such a picture is shown by its address instead.
package struct NetworkPictureFetcher: PictureFetcher {
    private static let limit = TimeAmount.seconds(5)

    package init() {}

    package func fetch(_ url: String) async throws -> [UInt8] {
        guard let parts = URLComponents(string: url) else { throw HostError(.invalidArgument, "That is no address.") }
        switch parts.scheme?.lowercased() {
        case "file":
            let file = URL(filePath: parts.path)
            let values = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
            guard values.isRegularFile == true, values.fileSize ?? 0 <= ArtworkCache.greatestPicture else {
                throw Self.tooLarge
            }
            return [UInt8](try Data(contentsOf: file))
        case "http":
            let port = parts.port ?? 80
            // NIO takes only ports.
            guard let host = parts.host, !host.isEmpty, (1...65_535).contains(port) else {
                throw HostError(.invalidArgument, "The address names no server.")
            }
            return try await get(parts, host: host, port: port)
        default: throw HostError(.notSupported, "Pictures are fetched from files and by http only.")
        }
    }

    private static let tooLarge = HostError(.unsupportedFormat, "It is no file, or larger than 16 MB.")

    private func get(_ parts: URLComponents, host: String, port: Int) async throws -> [UInt8] {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(Self.limit)
            .connect(host: host.trimmingCharacters(in: ["[", "]"]), port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        let deadline = channel.channel.eventLoop.scheduleTask(in: Self.limit) {
            channel.channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        let path =
            (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
            + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: path,
            headers: ["Host": port == 80 ? host : "\(host):\(port)", "Connection": "close", "Accept": "image/*"])
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(.head(head))
            try await outbound.write(.end(nil))
            var bytes: [UInt8] = []
            for try await part in inbound {
                switch part {
                case .head(let head):
                    guard head.status == .ok else {
                        throw HostError(.unreachableURL, "The server answered \(head.status.code).")
                    }
                case .body(let buffer):
                    bytes += buffer.readableBytesView
                    guard bytes.count <= ArtworkCache.greatestPicture else { throw Self.tooLarge }
                case .end: return bytes
                }
            }
            throw HostError(.timedOut, "The server did not send all of the picture in time.")
        }
    }
}

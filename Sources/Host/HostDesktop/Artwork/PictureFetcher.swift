import AsyncHTTPClient
import Foundation
import HostInterface
import NIOCore
import NIOHTTP1

/// Gets pictures from their addresses.
package protocol PictureFetcher: Sendable {
    /// - Throws: ``HostError`` where that cannot be done.
    func fetch(_ url: String) async throws -> [UInt8]
}

/// Reads local files, and asks servers as devices on the network and apps name them.
///
/// Five seconds, 16 MB, up to five redirects, none of which leads to a file. A server's certificate has to be one the system
/// trusts.
package struct NetworkPictureFetcher: PictureFetcher {
    private static let limit = TimeAmount.seconds(5)

    private let client: HTTPClient

    /// How servers are asked: once, a server that is not there is not waited for.
    static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .follow(max: 5, allowCycles: false), decompression: .enabled(limit: .ratio(20)))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        return configuration
    }

    /// For the life of the process, as a client that is let go has to be shut down before.
    private static let shared = HTTPClient(configuration: configuration)

    package init() { client = Self.shared }

    init(client: HTTPClient) { self.client = client }

    package func fetch(_ url: String) async throws -> [UInt8] {
        guard let parts = URLComponents(string: url) else { throw HostError(.invalidArgument, "That is no address.") }
        switch parts.scheme?.lowercased() {
        case "file": return try read(URL(filePath: parts.path))
        case "http", "https":
            // NIO takes only ports.
            guard let host = parts.host, !host.isEmpty, (1...65_535).contains(parts.port ?? 80) else {
                throw HostError(.invalidArgument, "The address names no server.")
            }
            return try await get(url)
        default: throw HostError(.notSupported, "Pictures are fetched from files and by http and https only.")
        }
    }

    private static let tooLarge = HostError(.unsupportedFormat, "It is no file, or larger than 16 MB.")

    private func read(_ file: URL) throws(HostError) -> [UInt8] {
        let values = try? file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        guard values?.isRegularFile == true, values?.fileSize ?? 0 <= ArtworkCache.greatestPicture else {
            throw Self.tooLarge
        }
        do {
            return [UInt8](try Data(contentsOf: file))
        } catch {
            throw HostError(.unreachableURL, error.localizedDescription)
        }
    }

    private func get(_ url: String) async throws(HostError) -> [UInt8] {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "image/*")
        do {
            let response = try await client.execute(request, timeout: Self.limit)
            guard response.status == .ok else {
                throw HostError(.unreachableURL, "The server answered \(response.status.code).")
            }
            let body = try await response.body.collect(upTo: ArtworkCache.greatestPicture)
            return [UInt8](body.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Self.tooLarge
        } catch let error as HTTPClientError where error == .deadlineExceeded {
            throw HostError(.timedOut, "The server did not send all of the picture in time.")
        } catch {
            throw error as? HostError ?? HostError(.unreachableURL, "The server cannot be asked: \(error)")
        }
    }
}

import AddressPolicy
import AsyncHTTPClient
import Foundation
import HostInterface
package import HostPictures
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix

/// Requests pictures from servers.
///
/// Five seconds, 16 MB, up to five redirects, none of which leads to a file or to where its server may not send us (see
/// ``AddressPolicy``). A server's certificate has to be one the system trusts.
package struct PictureDownload: Sendable {
    private static let limit = Duration.seconds(5)
    private static let redirectLimit = 5

    /// The configuration of requests, without retries.
    static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, decompression: .enabled(limit: .ratio(20)))
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        return configuration
    }

    private let configuration: HTTPClient.Configuration

    package init() { self.init(configuration: Self.configuration) }

    init(configuration: HTTPClient.Configuration) { self.configuration = configuration }

    package func fetch(_ url: String, from origin: PictureOrigin) async throws -> [UInt8] {
        try await get(url, from: origin)
    }

    private static let tooLarge = HostError(.unsupportedFormat, "It exceeds 16 MB.")

    private func get(_ url: String, from origin: PictureOrigin) async throws -> [UInt8] {
        let end = ContinuousClock.now + Self.limit
        var url = url
        var policy: AddressPolicy? =
            if case .device(let addresses) = origin { AddressPolicy(device: addresses, allowsInternet: true) } else {
                nil
            }
        for _ in 0...Self.redirectLimit {
            let host = try Self.host(of: url)
            var configuration = configuration
            if let policy {
                // Connected to the checked address: the name may resolve to another one the next time.
                let address = try await NIOThreadPool.singleton.runIfActive { policy.resolve(host) }
                guard let address else {
                    throw HostError(.unreachableURL, "Nobody may send this computer to “\(host)”.")
                }
                if address != host { configuration.dnsOverride[host] = address }
            } else {
                // A program may name anything; the server it names may not send us anywhere.
                let addresses = try await NIOThreadPool.singleton.runIfActive { AddressPolicy.addresses(of: host) }
                policy = AddressPolicy(device: addresses, allowsInternet: true)
            }
            switch try await ask(url, configuration, until: end) {
            case .picture(let bytes): return bytes
            case .redirect(let target): url = target
            }
        }
        throw HostError(.unreachableURL, "The server redirects too often.")
    }

    private static func host(of url: String) throws(HostError) -> String {
        guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()) else {
            throw HostError(.unreachableURL, "The server redirects to what is no web server.")
        }
        // NIO takes only ports.
        guard let host = parts.host, !host.isEmpty, (1...65_535).contains(parts.port ?? 80) else {
            throw HostError(.invalidArgument, "The address names no server.")
        }
        return host.trimmingCharacters(in: ["[", "]"])
    }

    private enum Answer {
        case picture([UInt8])
        case redirect(String)
    }

    private func ask(
        _ url: String, _ configuration: HTTPClient.Configuration, until end: ContinuousClock.Instant
    ) async throws(HostError) -> Answer {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let answer: Result<Answer, HostError>
        do {
            answer = .success(try await Self.ask(client, url, until: end))
        } catch is NIOTooManyBytesError {
            answer = .failure(Self.tooLarge)
        } catch let error as HTTPClientError where error == .deadlineExceeded {
            answer = .failure(HostError(.timedOut, "The server did not send all of the picture in time."))
        } catch {
            answer = .failure(
                error as? HostError
                    ?? HostError(.unreachableURL, "The server cannot be asked: \(FailureReason.text(of: error))"))
        }
        try? await client.shutdown()
        return try answer.get()
    }

    private static func ask(
        _ client: HTTPClient, _ url: String, until end: ContinuousClock.Instant
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "image/*")
        let left = ContinuousClock.now.duration(to: end)
        let response = try await client.execute(request, timeout: TimeAmount(max(left, .zero)))
        if (300..<400).contains(response.status.code), let target = response.headers.first(name: "location"),
            let next = URL(string: target, relativeTo: URL(string: url))?.absoluteString
        {
            return .redirect(next)
        }
        guard response.status == .ok else {
            throw HostError(.unreachableURL, "The server answered \(response.status.code).")
        }
        let body = try await response.body.collect(upTo: PictureLimits.size)
        return .picture([UInt8](body.readableBytesView))
    }
}

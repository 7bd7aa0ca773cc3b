import AsyncHTTPClient
import Crypto
import Foundation
import NIOSSL
import Speakers

/// Sends states by the protocol of Apple's push notification service.
struct Pusher: Sendable {
    /// The target of pushes and the key to sign them: the output of `mdhost push serve --json`.
    struct Settings: Decodable, Sendable {
        var url: String
        /// Path of the certificate authority.
        var authority: String
        var keyID: String
        var teamID: String
        /// Path.
        var keyFile: String
    }

    static let topic = "org.example.smart-speaker.push-type.nowplaying"

    enum Event: String, Sendable { case start, update, end }

    private let settings: Settings
    private let key: P256.Signing.PrivateKey
    private let client: HTTPClient

    init(_ settings: Settings) throws {
        self.settings = settings
        key = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOfFile: settings.keyFile, encoding: .utf8))
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.trustRoots = .file(settings.authority)
        client = HTTPClient(configuration: configuration)
    }

    func close() async throws { try await client.shutdown() }

    /// - Returns: The gateway's status and, where it refused, its reason.
    func push(_ event: Event, _ state: SpeakerState, to token: String, at time: Date) async throws -> (UInt, String) {
        var request = HTTPClientRequest(url: settings.url + "/3/device/" + token)
        request.method = .POST
        request.headers.add(name: "authorization", value: "bearer " + (try provider(at: time)))
        request.headers.add(name: "apns-topic", value: Self.topic)
        request.headers.add(name: "apns-push-type", value: "nowplaying")
        request.body = .bytes(try Self.payload(event, state, at: time))
        let response = try await client.execute(request, timeout: .seconds(10))
        let body = try await response.body.collect(upTo: 4096)
        return (response.status.code, String(decoding: body.readableBytesView, as: UTF8.self))
    }

    static func payload(_ event: Event, _ state: SpeakerState, at time: Date) throws -> Data {
        struct Payload: Encodable {
            struct Service: Encodable {
                var event: String
                var timestamp: Int
                var attributes: SpeakerState
            }
            var aps: Service
        }
        return try SpeakerState.json(
            Payload(
                aps: .init(
                    event: event.rawValue, timestamp: Int(time.timeIntervalSince1970), attributes: state)))
    }

    /// RFC 7519, ES256.
    private func provider(at time: Date) throws -> String {
        func part(_ text: String) -> String { Self.base64URL(Data(text.utf8)) }
        let signed =
            part("{\"alg\":\"ES256\",\"kid\":\"\(settings.keyID)\"}") + "."
            + part("{\"iss\":\"\(settings.teamID)\",\"iat\":\(Int(time.timeIntervalSince1970))}")
        return signed + "." + Self.base64URL(try key.signature(for: Data(signed.utf8)).rawRepresentation)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

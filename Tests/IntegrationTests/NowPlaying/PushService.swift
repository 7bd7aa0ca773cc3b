import Crypto
import Foundation
import PushGateway
import Testing

/// A gateway in a process of its own, and its output.
struct PushService: Sendable {
    private struct Introduction: Decodable {
        var url: String
        var authority: String
        var keyID: String
        var teamID: String
        var keyFile: String
    }

    let process: RunningCommand
    private let introduction: Introduction

    /// Starts `mdhost push serve` with these further words.
    static func serve(_ desktop: Desktop, _ words: String...) async throws -> PushService {
        let process = try RunningCommand(
            [PrivateDaemon.program, "push", "serve", "--port", "0", "--json"] + words,
            environment: desktop.environment)
        try await eventually("the gateway: \(process.errors)") { process.output.contains("\n") }
        return PushService(
            process: process,
            introduction: try JSONDecoder().decode(Introduction.self, from: Data(process.output.utf8)))
    }

    func authorization(issuedAt: Int64 = Int64(Date().timeIntervalSince1970)) throws -> String {
        let key = try P256.Signing.PrivateKey(
            pemRepresentation: String(contentsOfFile: introduction.keyFile, encoding: .utf8))
        return "bearer "
            + (try ProviderToken.sign(
                keyIdentifier: introduction.keyID, teamIdentifier: introduction.teamID, issuedAt: issuedAt, with: key))
    }

    /// Status, and the body's reason.
    func push(
        _ token: String, _ payload: String, topic: String = "PublishingApp.push-type.nowplaying",
        authorization: String? = nil
    ) async throws -> String {
        let result = try await Command.run([
            "/usr/bin/curl", "--silent", "--show-error", "--max-time", "20", "--http2", "--cacert",
            introduction.authority,
            "--header", "authorization: \(try authorization ?? self.authorization())",
            "--header", "apns-topic: \(topic)", "--header", "apns-push-type: nowplaying",
            "--data-binary", payload, "--write-out", "%{http_code} %{http_version}",
            introduction.url + "/3/device/" + token,
        ])
        #expect(result.errors.isEmpty)
        let reason = result.output.split(separator: "\"").dropFirst(3).first.map { " " + $0 } ?? ""
        let words = result.output.split(separator: "}").last?.split(separator: " ").map(String.init) ?? []
        #expect(words.last == "2")
        return (words.first ?? "") + reason
    }

    /// A push for the session “living” in the format of `RemoteSessionExtension`.
    static func payload(_ event: String, _ title: String, at time: Int) -> String {
        """
        {"aps": {"event": "\(event)", "timestamp": \(time), "attributes": {"id": "living", "title": "\(title)", \
        "isPlaying": true, "position": 1, "levels": []}}}
        """
    }
}

extension Desktop {
    /// Waits until a session shows that.
    func shows(_ text: String) async throws {
        try await eventually("“\(text)” in the list") { try await mdhost("now-playing", "list").output.contains(text) }
    }

    /// The session's own token, which its extension was told last.
    func pushToken() async throws -> String {
        var token = ""
        try await eventually("the session's token") {
            let log = try await mdhost("extension", "logs", "Speakers").output
            let line = log.split(separator: "\n").last { $0.contains("token living") }
            token = line?.split(separator: " ").last.map(String.init) ?? ""
            return token.count == 64
        }
        return token
    }
}

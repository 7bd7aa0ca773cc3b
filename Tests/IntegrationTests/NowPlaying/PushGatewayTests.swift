import Crypto
import Foundation
import PushGateway
import Testing

/// Servers that push by HTTP/2, with curl as one of them.
@Suite(
    .serialized,
    .enabled(
        if: Desktop.isAvailable && Desktop.program("curl") != nil, "needs dbus-daemon, playerctl, busctl and curl"),
    .timeLimit(.minutes(2)))
struct PushGatewayTests {
    private static let app = "PublishingApp"

    /// A gateway as a process of its own, and what its owner reads from it.
    private struct Service: Decodable {
        var url: String
        var authority: String
        var keyID: String
        var teamID: String
        var keyFile: String

        func authorization(issuedAt: Int64 = Int64(Date().timeIntervalSince1970)) throws -> String {
            let key = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOfFile: keyFile, encoding: .utf8))
            return "bearer "
                + (try ProviderToken.sign(
                    keyIdentifier: keyID, teamIdentifier: teamID, issuedAt: issuedAt, with: key))
        }
    }

    private func with(_ body: (Desktop, Service) async throws -> Void) async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            try await body(desktop, try await serve(desktop))
        }
    }

    private func serve(_ desktop: Desktop) async throws -> Service {
        let gateway = try RunningCommand(
            [PrivateDaemon.program, "push", "serve", "--port", "0", "--json"], environment: desktop.environment)
        try await eventually("the gateway") { gateway.output.contains("\n") }
        return try JSONDecoder().decode(Service.self, from: Data(gateway.output.utf8))
    }

    /// Status, and the body's reason.
    private func push(
        _ service: Service, _ token: String, _ payload: String, topic: String = app + ".push-type.nowplaying",
        authorization: String? = nil
    ) async throws -> String {
        let result = try await Command.run([
            "/usr/bin/curl", "--silent", "--show-error", "--max-time", "20", "--http2", "--cacert", service.authority,
            "--header", "authorization: \(try authorization ?? service.authorization())",
            "--header", "apns-topic: \(topic)", "--header", "apns-push-type: nowplaying",
            "--data-binary", payload, "--write-out", "%{http_code} %{http_version}",
            service.url + "/3/device/" + token,
        ])
        #expect(result.errors.isEmpty)
        let reason = result.output.split(separator: "\"").dropFirst(3).first.map { " " + $0 } ?? ""
        let words = result.output.split(separator: "}").last?.split(separator: " ").map(String.init) ?? []
        #expect(words.last == "2")
        return (words.first ?? "") + reason
    }

    private func payload(_ event: String, _ title: String, at time: Int, more: String = "") -> String {
        """
        {"aps": {"event": "\(event)", "timestamp": \(time), "attributes": {"id": "living", "title": "\(title)", \
        "isPlaying": true, "position": 1, "levels": []\(more)}}}
        """
    }

    private func shows(_ text: String, _ desktop: Desktop) async throws {
        try await eventually("“\(text)” in the list") {
            try await desktop.mdhost("now-playing", "list").output.contains(text)
        }
    }

    /// What the extension was told, last.
    private func sessionToken(_ desktop: Desktop) async throws -> String {
        var token = ""
        try await eventually("the session's token") {
            let log = try await desktop.mdhost("extension", "logs", "Speakers").output
            let line = log.split(separator: "\n").last { $0.contains("token living") }
            token = line?.split(separator: " ").last.map(String.init) ?? ""
            return token.count == 64
        }
        return token
    }

    private func startToken(_ desktop: Desktop) async throws -> String {
        try await desktop.mdhost("push", "token", Self.app).output.trimmingCharacters(in: .newlines)
    }

    @Test func aPushStartsUpdatesAndEndsWhatNobodyHasStarted() async throws {
        try await with { desktop, service in
            let start = try await startToken(desktop)
            #expect(try await push(service, start, payload("start", "Pushed", at: 10)) == "200")
            try await shows("Pushed · Artist", desktop)
            #expect(try await desktop.player() == "mdhost.PublishingApp_remote1")
            let token = try await sessionToken(desktop)
            #expect(try await push(service, token, payload("update", "Second", at: 11)) == "200")
            try await shows("Second · Artist", desktop)
            #expect(try await push(service, token, payload("update", "Older", at: 9)) == "200")
            #expect(
                try await push(
                    service, token,
                    "{\"aps\": {\"event\": \"end\", \"timestamp\": 12, \"attributes\": {\"id\": \"living\"}}}") == "200"
            )
            try await eventually("its end") { try await desktop.players() == [] }
            #expect(try await push(service, token, payload("update", "Late", at: 13)) == "410 Unregistered")
        }
    }

    @Test func whoMayNotOrDoesNotSayItRightIsTold() async throws {
        try await with { desktop, service in
            let start = try await startToken(desktop)
            let good = payload("start", "Pushed", at: 10)
            #expect(
                try await push(service, String(repeating: "0", count: 64), good) == "400 BadDeviceToken")
            #expect(
                try await push(service, start, good, topic: "org.other.push-type.nowplaying")
                    == "400 DeviceTokenNotForTopic")
            #expect(
                try await push(service, start, good, authorization: service.authorization(issuedAt: 1))
                    == "403 ExpiredProviderToken")
            #expect(try await push(service, start, good, authorization: "bearer a.b.c") == "403 InvalidProviderToken")
            #expect(
                try await push(service, start, payload("start", String(repeating: "x", count: 4096), at: 1))
                    == "413 PayloadTooLarge")
            #expect(try await push(service, start, "{\"aps\": 7}") == "400 BadPayload")
            #expect(try await desktop.mdhost("now-playing", "list").output.isEmpty)
            // Well formed, and nothing the extension can read.
            let bad = "{\"aps\": {\"event\": \"start\", \"timestamp\": 1, \"attributes\": {\"id\": \"living\"}}}"
            #expect(try await push(service, start, bad) == "200")
            try await eventually("the failure") {
                try await desktop.mdhost("doctor").output.contains("“title” of the attributes is missing.")
            }
        }
    }

    @Test func aKilledDaemonKeepsWhatItAccepted() async throws {
        try await with { desktop, service in
            let start = try await startToken(desktop)
            #expect(try await push(service, start, payload("start", "Pushed", at: 10)) == "200")
            let daemon = try #require(desktop.daemon)
            kill(daemon, SIGKILL)
            try await shows("Pushed · Artist", desktop)
            let token = try await sessionToken(desktop)
            #expect(try await push(service, token, payload("update", "Second", at: 11)) == "200")
            try await shows("Second · Artist", desktop)
        }
    }
}

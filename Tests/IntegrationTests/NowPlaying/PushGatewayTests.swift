import Foundation
import Testing

/// Servers that push by HTTP/2, with curl as one of them.
@Suite(
    .serialized,
    .enabled(
        if: Desktop.isAvailable && Desktop.program("curl") != nil, "needs dbus-daemon, playerctl, busctl and curl"),
    .timeLimit(.minutes(2 * slowness)))
struct PushGatewayTests {
    private static let app = "PublishingApp"

    private func with(_ body: (Desktop, PushService) async throws -> Void) async throws {
        try await Desktop.open { desktop in
            try desktop.installRemoteSessions()
            try await body(desktop, try await PushService.serve(desktop))
        }
    }

    private func push(
        _ service: PushService, _ token: String, _ payload: String,
        topic: String = app + ".push-type.nowplaying", authorization: String? = nil
    ) async throws -> String {
        try await service.push(token, payload, topic: topic, authorization: authorization)
    }

    private func payload(_ event: String, _ title: String, at time: Int) -> String {
        PushService.payload(event, title, at: time)
    }

    private func shows(_ text: String, _ desktop: Desktop) async throws { try await desktop.shows(text) }

    private func sessionToken(_ desktop: Desktop) async throws -> String { try await desktop.pushToken() }

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

    @Test func aServersDateIsAnInstant() async throws {
        try await with { desktop, service in
            let start = try await startToken(desktop)
            // Ten seconds ago, in the form of the article.
            let since = ISO8601DateFormatter().string(from: Date() - 10)
            let attributes = """
                {"id": "living", "title": "Dated", "isPlaying": true, "position": 100, "levels": [], "since": "\(since)"}
                """
            let payload = "{\"aps\": {\"event\": \"start\", \"timestamp\": 10, \"attributes\": \(attributes)}}"
            #expect(try await push(service, start, payload) == "200")
            let player = try await desktop.player()
            try await eventually("the position at that instant") {
                let text = try await desktop.playerctl("--player", player, "position").output
                return (108..<200).contains(Double(text.trimmingCharacters(in: .newlines)) ?? 0)
            }
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

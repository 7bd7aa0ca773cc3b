import Foundation
import MosquittoBroker
import Testing

/// Servers that push to computers elsewhere, over a real broker.
@Suite(
    .serialized,
    .enabled(
        if: Desktop.isAvailable && Desktop.program("curl") != nil && MosquittoBroker.isAvailable,
        "needs mosquitto, dbus-daemon, playerctl, busctl and curl"),
    .timeLimit(.minutes(3 * slowness)))
struct BrokerPushTests {
    private func join(_ desktop: Desktop, _ broker: MosquittoBroker, as user: String = "living") async throws {
        try desktop.installRemoteSessions()
        let result = try await desktop.mdhost(
            "push", "join", broker.address(user), "--authority", broker.authority, "--password-file",
            broker.passwordFile(user))
        #expect(result.status == 0, "\(result)")
        try await eventually("the broker") {
            try await desktop.mdhost("push", "status", "--json").output.contains("\"connected\"")
        }
    }

    private func serve(_ desktop: Desktop, _ broker: MosquittoBroker) async throws -> PushService {
        try await PushService.serve(
            desktop, "--broker", broker.address("gateway"), "--authority", broker.authority, "--password-file",
            broker.passwordFile("gateway"))
    }

    private func startToken(_ desktop: Desktop) async throws -> String {
        try await desktop.mdhost("push", "token", "PublishingApp").output.trimmingCharacters(in: .newlines)
    }

    private func broker(_ users: String...) async throws -> MosquittoBroker {
        let broker = try MosquittoBroker(users: users, isSecure: true)
        try await broker.start()
        return broker
    }

    /// Sends until the gateway knows.
    private func push(_ service: PushService, _ token: String, _ payload: String) async throws -> String {
        var answer = ""
        try await eventually("an answer other than \(answer)") {
            answer = try await service.push(token, payload)
            return answer != "503 ServiceUnavailable"
        }
        return answer
    }

    @Test func aPushArrivesByAnyGatewayAndTokensAreOverForAll() async throws {
        let broker = try await broker("living")
        try await Desktop.open { desktop in
            try await join(desktop, broker)
            let (one, two) = (try await serve(desktop, broker), try await serve(desktop, broker))
            let start = try await startToken(desktop)
            try await eventually("the token's registration") {
                try await push(one, start, PushService.payload("start", "Pushed", at: 10)) == "200"
            }
            try await desktop.shows("Pushed · Artist")
            let token = try await desktop.pushToken()
            try await eventually("the session's registration") {
                try await push(two, token, PushService.payload("update", "Second", at: 11)) == "200"
            }
            try await desktop.shows("Second · Artist")
            // One gateway dies; the other one doesn't need to know.
            one.process.send(SIGKILL)
            #expect(try await push(two, token, PushService.payload("update", "Older", at: 9)) == "200")
            #expect(try await push(two, token, PushService.payload("update", "Third", at: 12)) == "200")
            try await desktop.shows("Third · Artist")
            #expect(try await desktop.mdhost("push", "rotate", "PublishingApp").status == 0)
            let three = try await serve(desktop, broker)
            for gateway in [two, three] {
                try await eventually("the end of the token") {
                    try await push(gateway, token, PushService.payload("update", "Late", at: 13)) == "410 Unregistered"
                }
            }
            #expect(try await push(three, start, PushService.payload("start", "X", at: 14)) == "410 Unregistered")
            #expect(
                try await push(three, String(repeating: "0", count: 64), PushService.payload("start", "X", at: 1))
                    == "400 BadDeviceToken")
            let new = try await startToken(desktop)
            #expect(
                try await push(three, new, "{\"aps\": 7}") == "400 BadPayload")
            #expect(try await push(three, new, PushService.payload("update", "X", at: 15)) == "400 BadPayload")
            let fresh = try await desktop.pushToken()
            #expect(try await push(three, fresh, PushService.payload("end", "", at: 16)) == "200")
            try await eventually("its end") { try await desktop.players() == [] }
            #expect(try await desktop.mdhost("push", "leave").status == 0)
            try await eventually("the end of all tokens") {
                try await push(three, new, PushService.payload("start", "X", at: 17)) == "410 Unregistered"
            }
        }
    }

    @Test func whatComesWhileTheDaemonIsDeadOrTheBrokerIsAwayIsNotLost() async throws {
        let broker = try await broker("living")
        try await Desktop.open { desktop in
            try await join(desktop, broker)
            let service = try await serve(desktop, broker)
            let start = try await startToken(desktop)
            try await eventually("the token's registration") {
                try await push(service, start, PushService.payload("start", "Pushed", at: 10)) == "200"
            }
            try await desktop.shows("Pushed · Artist")
            let token = try await desktop.pushToken()
            try await eventually("the session's registration") {
                try await push(service, token, PushService.payload("update", "Second", at: 11)) == "200"
            }
            try await desktop.shows("Second · Artist")
            kill(try #require(desktop.daemon), SIGKILL)
            #expect(try await push(service, token, PushService.payload("update", "Third", at: 12)) == "200")
            try await desktop.shows("Third · Artist")
            // An orderly stop keeps everything, and no false answer is given meanwhile.
            kill(try #require(desktop.daemon), SIGKILL)
            #expect(try await push(service, token, PushService.payload("update", "Fourth", at: 13)) == "200")
            try await broker.stop()
            try await eventually("a refusal") {
                try await service.push(token, PushService.payload("update", "Fifth", at: 14))
                    == "503 ServiceUnavailable"
            }
            #expect(try await service.push("00", PushService.payload("start", "X", at: 1)) == "503 ServiceUnavailable")
            try await broker.start()
            try await desktop.shows("Fourth · Artist")
            #expect(try await push(service, token, PushService.payload("update", "Fifth", at: 14)) == "200")
            try await desktop.shows("Fifth · Artist")
        }
    }

    @Test func twoComputersWithOneBrokerGetTheirOwn() async throws {
        let broker = try await broker("living", "kitchen")
        try await Desktop.open { living in
            try await Desktop.open { kitchen in
                try await join(living, broker)
                try await join(kitchen, broker, as: "kitchen")
                let service = try await serve(living, broker)
                for (desktop, title) in [(living, "In the living room"), (kitchen, "In the kitchen")] {
                    let token = try await startToken(desktop)
                    try await eventually("the token's registration") {
                        try await push(service, token, PushService.payload("start", title, at: 10)) == "200"
                    }
                }
                try await living.shows("In the living room · Artist")
                try await kitchen.shows("In the kitchen · Artist")
                #expect(try await living.players().count == 1)
                #expect(try await kitchen.players().count == 1)
            }
        }
    }

    @Test func whatIsWrongWithABrokerIsSaid() async throws {
        let broker = try await broker("living")
        try await Desktop.open { desktop in
            func join(_ more: String...) async throws -> CommandResult {
                try await Command.run(
                    [PrivateDaemon.program, "push", "join"] + more, environment: desktop.environment,
                    input: "secret of living\n")
            }
            let wrong = try await join(
                broker.address("living"), "--authority", broker.authority, "--password-file",
                broker.passwordFile("living", "wrong"))
            #expect(wrong.status == 4 && wrong.errors.contains("refused the user name, password or certificate"))
            #expect(try await join(broker.address("living")).errors.contains("TLS with the broker failed"))
            let open = try broker.passwordFile("living")
            chmod(open, 0o644)
            #expect(try await join(broker.address("living"), "--password-file", open).errors.contains("chmod 600"))
            #expect(try await join("https://living@broker").status == 64)
            #expect(try await desktop.mdhost("push", "status").output.hasPrefix("No broker"))
            let gateway = try await Command.run(
                [
                    PrivateDaemon.program, "push", "serve", "--port", "0", "--broker", broker.address("gateway"),
                    "--authority", broker.authority, "--password-file", try broker.passwordFile("gateway", "wrong"),
                ], environment: desktop.environment)
            #expect(gateway.status != 0)
            #expect(gateway.errors.contains("refused the user name, password or certificate"))
            // The password may come by standard input, and is never an argument.
            #expect(try await join(broker.address("living"), "--authority", broker.authority).status == 0)
        }
    }
}

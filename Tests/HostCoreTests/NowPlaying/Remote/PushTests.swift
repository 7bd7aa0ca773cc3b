import Foundation
import HostInterface
import LinkProtocol
import PushInterface
import Testing

@testable import HostCore

@Suite(.timeLimit(.minutes(1)))
struct PushTests {
    private static let topic = RemoteWorld.app + ".push-type.nowplaying"

    private static func payload(_ event: String, _ session: String, _ title: String = "", at time: Int) -> Data {
        Data(
            "{\"aps\":{\"event\":\"\(event)\",\"timestamp\":\(time),\"attributes\":{\"id\":\"\(session)\",\"title\":\"\(title)\"}}}"
                .utf8)
    }

    private func push(
        _ world: RemoteWorld, _ token: Data, _ payload: Data, topic: String = Self.topic,
        identifier: String = UUID().uuidString
    ) async throws -> PushOutcome {
        try await world.sessions.push(to: token, topic: topic, identifier: identifier, payload: payload)
    }

    private func sessionToken(_ world: RemoteWorld, _ number: Int = 1) async throws -> Data {
        try #require(
            await world.remote.keptTokens.values.first { $0.purpose == .session(number) && $0.retired == nil }
        ).value
    }

    private static func title(_ call: RemoteSessionCall?) -> String? {
        let data: Data? =
            switch call {
            case .open(_, let attributes, _), .update(_, let attributes): attributes
            default: nil
            }
        let object = data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
        return object?["title"] as? String
    }

    @Test func aServerStartsUpdatesAndEndsASession() async throws {
        try await RemoteWorld.open { world in
            let start = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            #expect(start.count == PushToken.length)
            #expect(try await push(world, start, Self.payload("start", "living", "One", at: 10)) == .accepted)
            await world.remote.until { $0.calls.count == 1 }
            #expect(await Self.title(world.remote.calls.last) == "One")
            _ = try await world.shown("remote1")
            let token = try await sessionToken(world)
            #expect(try await push(world, token, Self.payload("update", "living", "Two", at: 11)) == .accepted)
            await world.remote.until { $0.calls.count == 2 }
            #expect(await Self.title(world.remote.calls.last) == "Two")
            #expect(try await push(world, token, Self.payload("end", "living", at: 12)) == .accepted)
            try await world.isGone("remote1")
            // A further push is answered with the time of the end.
            guard case .unregistered = try await push(world, token, Self.payload("update", "living", "X", at: 13))
            else { throw HostError(.internalFailure, "It is not unregistered.") }
        }
    }

    @Test func olderAndRepeatedPushesChangeNothing() async throws {
        try await RemoteWorld.open { world in
            let start = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            _ = try await push(world, start, Self.payload("start", "living", "One", at: 10))
            await world.remote.until { $0.kept[1]?.attributes != nil }
            let token = try await sessionToken(world)
            #expect(try await push(world, token, Self.payload("update", "living", "Old", at: 9)) == .superseded)
            #expect(try await push(world, token, Self.payload("update", "living", "One", at: 10)) == .superseded)
            // Within a second the last one counts.
            #expect(try await push(world, token, Self.payload("update", "living", "Two", at: 10)) == .accepted)
            #expect(try await push(world, token, Self.payload("end", "living", at: 9)) == .superseded)
            #expect(try await push(world, token, Self.payload("end", "living", at: 20)) == .accepted)
            // A start that was late does not bring it back; a new one does.
            #expect(try await push(world, start, Self.payload("start", "living", "Late", at: 15)) == .superseded)
            #expect(await world.sessions.isEmpty)
            #expect(try await push(world, start, Self.payload("start", "living", "New", at: 21)) == .accepted)
        }
    }

    @Test func theWrongTokenTopicOrPayloadIsRefused() async throws {
        try await RemoteWorld.open { world in
            let start = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            let good = Self.payload("start", "living", "One", at: 10)
            #expect(try await push(world, Data(count: 32), good) == .badToken)
            #expect(try await push(world, start, good, topic: "org.other.push-type.nowplaying") == .wrongTopic)
            #expect(try await push(world, start, good, topic: RemoteWorld.app) == .wrongTopic)
            func reason(_ token: Data, _ payload: Data) async throws -> String {
                if case .badPayload(let reason) = try await push(world, token, payload) { reason } else { "" }
            }
            #expect(try await reason(start, Data("{".utf8)).contains("no JSON object"))
            #expect(try await reason(start, Self.payload("update", "living", at: 1)).contains("Only start"))
            _ = try await push(world, start, good)
            await world.remote.until { $0.kept[1]?.attributes != nil }
            let token = try await sessionToken(world)
            #expect(try await reason(token, Self.payload("update", "other", at: 11)).contains("attributes.id"))
            #expect(try await reason(token, Self.payload("start", "living", at: 11)).contains("Only update"))
            #expect(world.reports.errors.count == 4)
        }
    }

    @Test func whatTheExtensionCannotReadIsToldAfterwards() async throws {
        try await RemoteWorld.open { world in
            let start = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            await world.remote.fail(HostError(.invalidArgument, "“title” of the attributes is missing."))
            #expect(try await push(world, start, Self.payload("start", "living", at: 10)) == .accepted)
            var failures: [PushFailure] = []
            for await news in world.sessions.pushNews {
                if case .failures(let list) = news {
                    failures = list
                    break
                }
            }
            #expect(failures.map(\.message) == ["“title” of the attributes is missing."])
            await world.remote.until { $0.kept.isEmpty }
        }
    }

    @Test func tokensThatWereReplacedAreToldFromForeignOnes() async throws {
        let remote = ScriptedRemote()
        var old = Data()
        try await RemoteWorld.open(remote) { world in
            old = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            _ = try await world.start("living")
            let session = try await sessionToken(world)
            try await world.sessions.rotateTokens(of: RemoteWorld.app)
            let new = try await sessionToken(world)
            #expect(new != session)
            #expect(await world.remote.calls.last == .setToken(session: "living", new))
        }
        await remote.end(.stopped)
        try await RemoteWorld.open(remote) { world in
            guard case .unregistered = try await push(world, old, Data()) else {
                throw HostError(.internalFailure, "It is not unregistered.")
            }
            let new = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            #expect(new != old)
            #expect(try await push(world, new, Self.payload("start", "living", "Again", at: 3)) == .accepted)
        }
    }

    @Test func whatCannotBeStoredIsNotAccepted() async throws {
        try await RemoteWorld.open { world in
            let start = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            await world.remote.breakStorage()
            await #expect(throws: HostError.self) {
                try await push(world, start, Self.payload("start", "living", at: 10))
            }
            #expect(await world.sessions.isEmpty)
        }
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "{\"aps\":1}", "{\"aps\":{}}",
        "{\"aps\":{\"event\":\"begin\",\"timestamp\":1,\"attributes\":{\"id\":\"a\"}}}",
        "{\"aps\":{\"event\":\"start\",\"timestamp\":-1,\"attributes\":{\"id\":\"a\"}}}",
        "{\"aps\":{\"event\":\"start\",\"timestamp\":1.5,\"attributes\":{\"id\":\"a\"}}}",
        "{\"aps\":{\"event\":\"start\",\"timestamp\":1e300,\"attributes\":{\"id\":\"a\"}}}",
        "{\"aps\":{\"event\":\"start\",\"timestamp\":\"1\",\"attributes\":{\"id\":\"a\"}}}",
        "{\"aps\":{\"event\":\"start\",\"timestamp\":1,\"attributes\":{\"id\":7}}}",
        "{\"aps\":{\"event\":\"start\",\"timestamp\":1,\"attributes\":{\"id\":\"\"}}}",
        String(repeating: "[", count: 4000), String(repeating: " ", count: 4097),
    ])
    func aPayloadThatIsNoneIsTold(_ text: String) {
        #expect(throws: PushPayload.Malformed.self) { try PushPayload(Data(text.utf8)) }
    }

    @Test func tokensAreForgottenAfterAMonth() {
        var book = PushTokenBook()
        let (one, two) = (PushToken.make("a", .start), PushToken.make("a", .session(1)))
        book.add(one)
        book.add(two)
        #expect(book.current("a", .start) == one && book.current("b", .start) == nil)
        #expect(book.retire("a", .start, at: 100).map(\.retired) == [100])
        #expect(book.current("a", .start) == nil && book[one.value]?.retired == 100)
        #expect(book.prune(at: 100 + PushTokenBook.memory).isEmpty)
        #expect(book.prune(at: 101 + PushTokenBook.memory) == [one.value])
        #expect(book[two.value] == two)
    }
}

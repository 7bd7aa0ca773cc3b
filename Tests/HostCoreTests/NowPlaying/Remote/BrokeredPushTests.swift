import Foundation
import HostInterface
import PushInterface
import Testing

@testable import HostCore

/// Pushes over a broker: late, twice, and without a sender to answer.
@Suite(.timeLimit(.minutes(1)))
struct BrokeredPushTests {
    private static let topic = RemoteWorld.app + ".push-type.nowplaying"

    private func push(
        _ event: String, _ identifier: String, title: String = "", at time: Int
    ) -> BrokeredPush {
        BrokeredPush(
            identifier: identifier, topic: Self.topic,
            payload: Array(
                """
                {"aps":{"event":"\(event)","timestamp":\(time),"attributes":{"id":"living","title":"\(title)"}}}
                """.utf8))
    }

    private func token(_ world: RemoteWorld, _ purpose: PushToken.Purpose) async throws -> String {
        let tokens = await world.remote.keptTokens.values
        return BrokerTopic.hash(of: try #require(tokens.first { $0.purpose == purpose && $0.retired == nil }).value)
    }

    @Test func tokensAreRegisteredAsWhatTheyAre() async throws {
        try await RemoteWorld.open { world in
            var changes = await world.sessions.tokenChanges().makeAsyncIterator()
            #expect(await changes.next() != nil)
            #expect(await world.sessions.registrations().isEmpty)
            _ = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            #expect(await changes.next() != nil)
            _ = try await world.start("living")
            #expect(await changes.next() != nil)
            let (start, session) = (try await token(world, .start), try await token(world, .session(1)))
            let holding = await world.sessions.registrations()
            #expect(holding[start] == PushRegistration(application: RemoteWorld.app, session: nil))
            #expect(
                holding[session]
                    == PushRegistration(application: RemoteWorld.app, session: BrokerTopic.key(ofSession: "living")))
            try await world.sessions.end("living", application: RemoteWorld.app)
            #expect(await changes.next() != nil)
            #expect(await world.sessions.registrations()[session]?.retired != nil)
            #expect(await world.sessions.registrations()[start]?.retired == nil)
        }
    }

    @Test func whatComesAgainIsAppliedOnce() async throws {
        try await RemoteWorld.open { world in
            _ = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            let start = try await token(world, .start)
            #expect(try await world.sessions.take(push("start", "s", title: "One", at: 10), token: start))
            await world.remote.until { $0.kept[1]?.attributes != nil }
            let session = try await token(world, .session(1))
            let (first, second) = (
                push("update", "a", title: "Two", at: 11), push("update", "b", title: "Three", at: 11)
            )
            for push in [first, second] { #expect(try await world.sessions.take(push, token: session)) }
            await world.remote.until { $0.kept[1]?.pending == nil && $0.calls.count >= 2 }
            let calls = await world.remote.calls.count
            // The connection broke before the broker knew that both had come.
            for push in [first, second, first] { #expect(try await world.sessions.take(push, token: session)) }
            #expect(try await world.sessions.take(push("start", "s", title: "One", at: 10), token: start))
            let attributes = await world.remote.kept[1]?.newestAttributes ?? Data()
            #expect(String(decoding: attributes, as: UTF8.self).contains("Three"))
            #expect(await world.remote.calls.count == calls)
            #expect(try await !world.sessions.take(push("end", "e", at: 12), token: session))
            #expect(try await !world.sessions.take(second, token: session))
        }
    }

    @Test func theOldStartOfASessionThatTheAppEndedDoesNotBringItBack() async throws {
        let remote = ScriptedRemote()
        try await RemoteWorld.open(remote) { world in
            _ = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            let start = try await token(world, .start)
            let old = push("start", "s", title: "One", at: 10)
            #expect(try await world.sessions.take(old, token: start))
            await world.remote.until { $0.kept[1]?.attributes != nil }
            try await world.sessions.end("living", application: RemoteWorld.app)
            #expect(try await !world.sessions.take(old, token: start))
            #expect(await world.sessions.isEmpty)
            #expect(try await world.sessions.take(push("start", "t", title: "New", at: 11), token: start))
        }
    }

    @Test func whatIsForNobodyIsDoneWithAndWhatCannotBeKeptIsNot() async throws {
        try await RemoteWorld.open { world in
            _ = try await world.sessions.pushToStartToken(of: RemoteWorld.app)
            let start = try await token(world, .start)
            let good = push("start", "s", title: "One", at: 10)
            #expect(try await !world.sessions.take(good, token: BrokerTopic.hash(of: [1])))
            let nonsense = BrokeredPush(identifier: "n", topic: Self.topic, payload: [1])
            #expect(try await !world.sessions.take(nonsense, token: start))
            #expect(world.reports.errors.count == 1)
            await world.remote.breakStorage()
            await #expect(throws: HostError.self) { try await world.sessions.take(good, token: start) }
        }
    }
}

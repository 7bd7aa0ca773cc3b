import DBus
import Foundation
import HostClient
import HostInterface
import Testing

@testable import HostPage

/// The streams of browsers, without a daemon and without HTTP.
@Suite(.timeLimit(.minutes(1))) struct PageHubTests {
    private static func browser(_ id: String, _ role: PageRole = .administrate) -> PageBrowser {
        PageBrowser(id: id, name: id, role: role, cookieHash: "", entered: 0, seen: 0)
    }

    /// The events of the daemon's objects with a device of this name and volume.
    private static func device(_ name: String, volume: Double = 0.5) throws -> HostEvent {
        var mirror = ObjectMirror()
        let id = "11111111-2222-3333-4444-555555555555"
        let events = mirror.load([
            .dictionary(
                key: "o", value: "a{sa{sv}}",
                [
                    .objectPath(HostNames.devicePath(id)): .dictionary(
                        key: "s", value: "a{sv}",
                        [
                            .string(HostNames.deviceInterface): .properties([
                                "Id": .string(id), "Name": .string(name), "Volume": .double(volume),
                                "Availability": .string("ready"),
                            ])
                        ])
                ])
        ])
        return try #require(events.first)
    }

    private struct Event {
        var id: EventID
        var name: String
        var data: [String: Any]
    }

    private func events(_ text: String) throws -> [Event] {
        try text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { block in
            let lines = block.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1)[1].dropFirst() }
            let data = try #require(try JSONSerialization.jsonObject(with: Data(lines[2].utf8)) as? [String: Any])
            return Event(id: try #require(EventID(String(lines[0]))), name: String(lines[1]), data: data)
        }
    }

    @Test func aSnapshotThenChangesThenWhatWasMissed() async throws {
        let hub = PageHub()
        let viewer = try await hub.open(Self.browser("a"))
        #expect(await hub.next(viewer.number, after: nil).text.isEmpty, "nothing before the daemon said anything")
        await hub.begin()
        await hub.apply(try Self.device("<script>alert(1)</script>"))
        #expect(await hub.current(for: Self.browser("a")) == nil, "not all of it is there")
        await hub.apply(.ready)
        let current = try #require(await hub.current(for: Self.browser("a", .look)))
        #expect(current.contains("alert(1)") && current.contains(#""role":"look""#))
        let first = await hub.next(viewer.number, after: nil)
        let snapshot = try #require(try events(first.text).first)
        let devices = try #require(snapshot.data["devices"] as? [String: [String: Any]])
        #expect(snapshot.name == "snapshot" && devices.values.first?["name"] as? String == "<script>alert(1)</script>")
        #expect(snapshot.data["role"] as? String == "administrate" && snapshot.data["online"] as? Bool == true)
        #expect(snapshot.data["picker"] is NSNull && snapshot.data["prompts"] as? [String: String] == [:])

        // Several changes at once are one message, with the last of each.
        for level in 1...20 { await hub.apply(try Self.device("TV", volume: Double(level) / 100)) }
        var batch = PageHub.Batch()
        for await _ in viewer.signals {
            batch = await hub.next(viewer.number, after: first.cursor)
            if batch.text.contains("\"volume\":0.2,") { break }
        }
        let changes = try events(batch.text)
        #expect(changes.allSatisfy { $0.name == "change" } && changes.count <= 3, "\(changes)")
        // A stream that goes on from the first of them gets the rest.
        let rest = await hub.next(viewer.number, after: changes.first?.id)
        #expect(try events(rest.text).count == changes.count - 1)
        let other = await hub.next(viewer.number, after: EventID(epoch: "other", number: 1))
        #expect(try events(other.text).first?.name == "snapshot")
    }

    @Test func aDaemonThatGoesAndComesBack() async throws {
        let hub = PageHub()
        let viewer = try await hub.open(Self.browser("a"))
        await hub.begin()
        await hub.apply(.ready)
        let first = await hub.next(viewer.number, after: nil)
        await hub.end()
        let second = await hub.next(viewer.number, after: first.cursor)
        #expect(try events(second.text).map(\.name) == ["offline"])
        // A page that is opened now learns that there is none.
        let late = try events(await hub.next(viewer.number, after: nil).text)
        #expect(late.first?.data["online"] as? Bool == false)
        await hub.begin()
        await hub.apply(try Self.device("TV"))
        await hub.apply(.ready)
        let third = try events(await hub.next(viewer.number, after: second.cursor).text)
        #expect(third.map(\.name) == ["snapshot"])
    }

    @Test func aRevokedBrowserHearsItAndNothingMore() async throws {
        let hub = PageHub()
        let (one, two) = (Self.browser("one"), Self.browser("two"))
        let streams = [try await hub.open(one), try await hub.open(two)]
        await hub.begin()
        await hub.apply(.ready)
        let cursors = [
            await hub.next(streams[0].number, after: nil).cursor, await hub.next(streams[1].number, after: nil).cursor,
        ]
        await hub.apply(.revoked(one))
        await hub.apply(try Self.device("TV"))
        let ended = await hub.next(streams[0].number, after: cursors[0])
        let names = try events(ended.text).map(\.name)
        #expect(ended.isLast && names == ["revoked"])
        #expect(await !hub.next(streams[1].number, after: cursors[1]).isLast)
    }

    @Test func thereIsABoundOfStreams() async throws {
        let hub = PageHub()
        for _ in 0..<8 { _ = try await hub.open(Self.browser("a")) }
        await #expect(throws: HostError.self) { try await hub.open(Self.browser("a")) }
        for number in 0..<7 { for _ in 0..<8 { _ = try await hub.open(Self.browser("\(number)")) } }
        await #expect(throws: HostError.self) { try await hub.open(Self.browser("z")) }
        await hub.close(1)
        _ = try await hub.open(Self.browser("z"))
    }

    @Test func promptsAreForThoseWhoMayAnswerThem() async throws {
        let hub = PageHub()
        let look = try await hub.open(Self.browser("look", .look))
        let control = try await hub.open(Self.browser("control", .control))
        await hub.begin()
        await hub.apply(.ready)
        let lookStart = await hub.next(look.number, after: nil).cursor
        let controlStart = await hub.next(control.number, after: nil).cursor
        let challenge = PairingChallenge(method: .numericCode, length: 4, reason: "TV shows a code.")
        async let answer = HubPrompts(hub: hub).answer(device: "D", name: "TV", challenge)
        var batch = PageHub.Batch()
        for await _ in control.signals {
            batch = await hub.next(control.number, after: controlStart)
            if !batch.text.isEmpty { break }
        }
        let shown = try #require(try events(batch.text).first?.data["prompts"] as? [String: [String: Any]])
        let (id, prompt) = try #require(shown.first)
        #expect(prompt["method"] as? String == "numeric-code" && prompt["length"] as? Int == 4)
        #expect(await hub.next(look.number, after: lookStart).text.isEmpty)
        await #expect(throws: HostError.self) { try await hub.answer(id, "12") }
        await #expect(throws: HostError.self) { try await hub.answer("99", "1234") }
        try await hub.answer(id, "12 34")
        #expect(try await answer == "1234")
        await #expect(throws: HostError.self) { try await hub.answer(id, "1234") }
    }

    @Test func aPromptEndsWithTheDaemonOrAsThePersonWants() async throws {
        let hub = PageHub()
        await hub.begin()
        await hub.apply(.ready)
        let challenge = PairingChallenge(method: .password, reason: "")
        async let first = hub.ask(device: "D", name: "TV", challenge)
        #expect(await hub.wait(for: .milliseconds(1)) { _ in false } == false)
        while await hub.openPrompts.isEmpty { await Task.yield() }
        let id = try #require(await hub.openPrompts.first)
        try await hub.answer(id, nil)
        guard case .failure(let error) = await first else {
            Issue.record("it was answered")
            return
        }
        #expect(error.code == .cancelled)
        async let second = hub.ask(device: "D", name: "TV", challenge)
        while await hub.openPrompts.isEmpty { await Task.yield() }
        await hub.end()
        guard case .failure(let gone) = await second else {
            Issue.record("it was answered")
            return
        }
        #expect(gone.code == .hostUnavailable)
    }
}

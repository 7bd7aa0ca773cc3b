import Foundation
import Testing

@testable import Avahi

/// Real services of a real daemon on this machine's system bus.
@Suite(.enabled("needs a running avahi-daemon") { await RunningDaemon.isThere }, .serialized, .timeLimit(.minutes(1)))
struct AvahiDaemonTests {
    private let name = "mdhost test \(ProcessInfo.processInfo.processIdentifier) \(UInt32.random(in: 0 ... .max))"

    @Test func findsResolvesAndLosesAService() async throws {
        let client = try AvahiClient()
        var events = EventReader(try await client.browse(type: "_mdhost-a._tcp", resolving: true))
        let publisher = try Publisher(name: name, type: "_mdhost-a._tcp", port: 4711, txt: ["one=1", "flag"])
        defer { publisher.stop() }

        let resolved = try await events.first { event -> (AvahiService, AvahiResolution)? in
            guard case .resolved(let service, let answer) = event, service.name == name else { return nil }
            return answer.address == nil ? nil : (service, answer)
        }
        #expect(resolved.0.type == "_mdhost-a._tcp")
        #expect(resolved.0.domain == "local")
        #expect(!resolved.0.interfaceName.isEmpty)
        #expect(resolved.1.port == 4711)
        #expect(resolved.1.txt == ["one": Array("1".utf8), "flag": []])
        #expect(resolved.1.host.hasSuffix(".local"))
        let address = try #require(resolved.1.address)
        #expect(address.contains(":") == (resolved.0.family == .ipv6))

        publisher.stop()
        _ = try await events.first { event -> Bool? in
            if case .removed(let service) = event, service == resolved.0 { true } else { nil }
        }
        await client.close()
    }

    @Test func announcesAServiceUntilItIsClosed() async throws {
        let client = try AvahiClient()
        var events = EventReader(try await client.browse(type: "_mdhost-p._tcp", resolving: true))
        var service = AvahiPublisher.Service(
            name: name, type: "_mdhost-p._tcp", port: 4720, txt: ["b": "2", "a": "1"], interface: "lo")
        let publisher = try AvahiPublisher(service)
        await publisher.start()
        for await state in publisher.states {
            #expect(state == .published(name: name))
            break
        }
        let (seen, answer) = try await events.first { event -> (AvahiService, AvahiResolution)? in
            guard case .resolved(let seen, let answer) = event, seen.name == name, answer.address != nil else {
                return nil
            }
            return (seen, answer)
        }
        #expect(seen.interfaceName == "lo" && answer.port == 4720)
        #expect(answer.txt == ["a": Array("1".utf8), "b": Array("2".utf8)])

        // Another one of the name gets a name of its own.
        service.port = 4721
        let second = try AvahiPublisher(service)
        await second.start()
        for await state in second.states {
            #expect(state == .published(name: name + " #2"))
            break
        }
        await second.close()
        await publisher.close()
        _ = try await events.first { event -> Bool? in if case .removed(seen) = event { true } else { nil } }
        await client.close()
    }

    @Test func refusesToAnnounceWhatIsNoService() throws {
        #expect(throws: AvahiError.self) {
            try AvahiPublisher(AvahiPublisher.Service(name: "x", type: "http", port: 1))
        }
    }

    @Test func keptResolverReportsAChangedTextRecord() async throws {
        let client = try AvahiClient()
        var events = EventReader(try await client.browse(type: "_mdhost-b._tcp", resolving: true))
        let publisher = try UpdatablePublisher(name: name, type: "_mdhost-b._tcp")
        try await publisher.publish(port: 4712, txt: "state=old")
        let service = try await events.first { event -> AvahiService? in
            guard case .resolved(let service, let answer) = event else { return nil }
            return answer.txt["state"] == Array("old".utf8) ? service : nil
        }
        try await publisher.update(txt: "state=new")
        var wasRemoved = false
        let changed = try await events.first { event -> AvahiResolution? in
            if case .removed(service) = event { wasRemoved = true }
            guard case .resolved(service, let answer) = event else { return nil }
            return answer.txt["state"] == Array("new".utf8) ? answer : nil
        }
        #expect(changed.port == 4712)
        #expect(!wasRemoved)
        await client.close()
    }

    @Test func endingTheIterationFreesBrowserAndResolvers() async throws {
        let client = try AvahiClient()
        let publisher = try Publisher(name: name, type: "_mdhost-c._tcp", port: 4714, txt: [])
        defer { publisher.stop() }
        let task = Task {
            for await event in try await client.browse(type: "_mdhost-c._tcp", resolving: true) {
                if case .resolved = event { return await client.objectCounts }
            }
            return (0, 0, 0)
        }
        let during = try await task.value
        #expect(during.0 == 1)
        #expect(during.1 >= 1)
        // The stream is gone with the task; the client hears of it a moment later.
        while await client.objectCounts.browsers > 0 { await Task.yield() }
        #expect(await client.objectCounts == (0, 0, 0))
        await client.close()
    }

    @Test func cancellingATaskFreesItsBrowser() async throws {
        let client = try AvahiClient()
        let stream = try await client.browse(type: "_mdhost-d._tcp", resolving: false)
        let task = Task { for await _ in stream {} }
        #expect(await client.objectCounts.browsers == 1)
        task.cancel()
        await task.value
        while await client.objectCounts.browsers > 0 { await Task.yield() }
        await client.close()
    }

    @Test func moreServicesThanResolversAreAllResolved() async throws {
        let client = try AvahiClient(askedLimit: 2, keptLimit: 3)
        var events = EventReader(try await client.browse(type: "_mdhost-e._tcp", resolving: true))
        let publishers = try (0..<6).map {
            try Publisher(name: "\(name) \($0)", type: "_mdhost-e._tcp", port: UInt16(4720 + $0), txt: [])
        }
        defer { for publisher in publishers { publisher.stop() } }
        var ports: Set<UInt16> = []
        while ports.count < 6 {
            ports.insert(
                try await events.first { event in
                    if case .resolved(_, let answer) = event { answer.port } else { nil }
                })
            #expect(await client.objectCounts.resolvers <= 3)
        }
        await client.close()
    }

    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["MDHOST_AVAHI_RESTART"] == "1",
            "restarts the host's own daemon: MDHOST_AVAHI_RESTART=1 scripts/lab in a swift test --filter AvahiDaemonTests"
        )
    )
    func restartedDaemonReportsOnlyDifferences() async throws {
        let client = try AvahiClient()
        var events = EventReader(try await client.browse(type: "_mdhost-f._tcp", resolving: true))
        let stays = try Publisher(name: "stays \(name)", type: "_mdhost-f._tcp", port: 4715, txt: [], survives: true)
        defer { stays.stop() }
        let goes = try Publisher(name: "goes \(name)", type: "_mdhost-f._tcp", port: 4716, txt: [])
        defer { goes.stop() }
        var rows: Set<AvahiService> = []
        var isSettled = false
        while Set(rows.map(\.name)).count < 2 || !isSettled {
            let event = try await events.next()
            if case .settled = event { isSettled = true }
            rows.apply(event)
        }

        try RunningDaemon.kill()
        let outage = try await events.first { event -> AvahiError? in
            if case .waiting(let error) = event { error } else { nil }
        }
        #expect(outage.code == .disconnected)
        goes.stop()
        try RunningDaemon.start()
        var isReady = false
        isSettled = false
        while !isReady || !isSettled || Set(rows.map(\.name)) != ["stays \(name)"] {
            let event = try await events.next()
            if case .ready = event { isReady = true }
            if case .settled = event { isSettled = isReady }
            rows.apply(event)
        }
        #expect(await client.objectCounts.browsers == 1)
        await client.close()
    }
}

extension Set<AvahiService> {
    fileprivate mutating func apply(_ event: AvahiEvent) {
        switch event {
        case .added(let service): insert(service)
        case .removed(let service): remove(service)
        default: break
        }
    }
}

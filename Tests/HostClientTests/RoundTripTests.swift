import DBus
import Foundation
import HostClient
import HostInterface
import ScriptedDaemon
import Testing

@Suite("A client and a daemon over a socket", .timeLimit(.minutes(1)))
struct RoundTripTests {
    private static let id = "0536744D-E1AF-5A68-A682-886D0CD6223A"
    private static let path = HostNames.devicePath(id)

    private func withDaemon(_ body: (ScriptedDaemon, HostClient) async throws -> Void) async throws {
        let daemon = try await ScriptedDaemon()
        try await daemon.addDevice(Self.id, name: "Living Room")
        let client = try await HostClient.connect(to: daemon.socket, launching: false)
        try await body(daemon, client)
        await client.close()
        await daemon.close()
    }

    @Test("events: what is there, ready, and each change in order")
    func events() async throws {
        try await withDaemon { daemon, client in
            try await daemon.addExtension("dlna", protocol: "org.example.dlna")
            var events = try await client.events().makeAsyncIterator()
            var first: [HostEvent] = []
            while let event = await events.next(), event != .ready { first.append(event) }
            #expect(first.count == 4)
            #expect(first.contains { if case .nowPlaying(let now) = $0 { now.systemPrimary == nil } else { false } })
            #expect(first.contains { if case .manager(let manager) = $0 { manager.processID == 4242 } else { false } })
            #expect(first.contains { if case .device(let device) = $0 { device.name == "Living Room" } else { false } })

            await daemon.update(
                path: Self.path, interface: HostNames.deviceInterface,
                ["Name": .string("Loft"), "Volume": .double(0.1)])
            guard case .device(let renamed)? = await events.next() else { return #expect(Bool(false), "no change") }
            #expect(renamed.name == "Loft" && renamed.volume == 0.1)

            try await daemon.addSession("1", device: Self.id)
            guard case .session(let session)? = await events.next() else { return #expect(Bool(false), "no session") }
            #expect(session.device == Self.path && session.state == "active")
            await daemon.remove(HostNames.sessionPath("1"))
            guard case .sessionRemoved? = await events.next() else { return #expect(Bool(false), "not removed") }

            await daemon.update(
                path: HostNames.rootPath, interface: HostNames.managerInterface, ["Settled": .boolean(true)])
            guard case .manager(let manager)? = await events.next() else { return #expect(Bool(false), "no manager") }
            #expect(manager.isSettled && manager.version == "1.2.3")
        }
    }

    @Test("every request reaches the object it is for")
    func requests() async throws {
        try await withDaemon { daemon, client in
            #expect(try await client.takeLease() == HostNames.leasesPath + "/1")
            try await client.activate(Self.path)
            try await client.setVolume(0.25, device: Self.path)
            try await client.changeVolume(by: -2, device: Self.path)
            try await client.setMuted(true, device: Self.path)
            try await client.pair(Self.path)
            try await client.forget(Self.path)
            try await client.deactivate(Self.path)
            try await client.quit()
            let calls = await daemon.log.calls
            #expect(
                calls.map(\.member) == [
                    "AcquireDiscoveryLease", "Activate", "SetVolume", "ChangeVolume", "SetMuted", "Pair", "Forget",
                    "Deactivate", "Quit",
                ])
            #expect(calls[1...7].allSatisfy { $0.path == Self.path })
            #expect(calls[2].arguments == [.double(0.25)] && calls[3].arguments == [.int32(-2)])
        }
    }

    @Test("play sends what is known of the media and nothing else; commands arrive whole")
    func play() async throws {
        try await withDaemon { daemon, client in
            let url = try #require(URL(string: "http://192.0.2.1/a.mp4"))
            let media = MediaInformation(title: "Film", duration: 60, startPosition: 5)
            let session = try await client.play(url, on: Self.path, media: media)
            #expect(session == HostNames.sessionPath("1"))
            let call = try await daemon.log.call("Play")
            #expect(call.arguments[0] == .string("http://192.0.2.1/a.mp4"))
            #expect(
                call.arguments[1].asDictionary
                    == ["title": .string("Film"), "duration": .double(60), "startPosition": .double(5)])

            try await daemon.addSession("1", device: Self.id)
            try await client.command(PlaybackCommand(.seek, number: 33, tolerance: .infinity), session: session)
            let command = try await daemon.log.call("Command").arguments[0]
            let decoded = try DBusDictionaryDecoder().decode(PlaybackCommand.self, from: command)
            #expect(decoded == PlaybackCommand(.seek, number: 33, tolerance: .infinity))
            try await client.stop(session)
            #expect(try await daemon.log.call("Stop").path == session)
        }
    }

    @Test("an error keeps its code and the device's sentence")
    func errors() async throws {
        try await withDaemon { daemon, client in
            await daemon.answer("Activate") { _ in
                throw HostError(.authorizationFailed, "Wait 30 seconds.").asDBusError
            }
            await #expect(throws: HostError(.authorizationFailed, "Wait 30 seconds.")) {
                try await client.activate(Self.path)
            }
            let unknown = await #expect(throws: HostError.self) { try await client.activate("/org/mdhost/devices/x") }
            #expect(unknown?.code == .noSuchDevice)
        }
    }

    @Test("a daemon that goes away ends the events and fails what waits")
    func disconnect() async throws {
        let daemon = try await ScriptedDaemon()
        try await daemon.addDevice(Self.id, name: "TV")
        let client = try await HostClient.connect(to: daemon.socket, launching: false)
        var events = try await client.events().makeAsyncIterator()
        await daemon.answer("Activate") { _ in
            await daemon.close()
            return []
        }
        let error = await #expect(throws: HostError.self) { try await client.activate(Self.path) }
        #expect(error?.code == .hostUnavailable)
        while await events.next() != nil {}
        let after = await #expect(throws: HostError.self) { try await client.takeLease() }
        #expect(after?.code == .hostUnavailable)
    }

    @Test("without a daemon, and without leave to start one, connecting fails", arguments: [false, true])
    func noDaemon(_ hasOverlongPath: Bool) async throws {
        let path = NSTemporaryDirectory() + String(repeating: "x", count: hasOverlongPath ? 200 : 5) + "/socket"
        let error = await #expect(throws: HostError.self) {
            try await HostClient.connect(to: path, launching: false)
        }
        #expect(error?.code == .hostUnavailable)
    }
}

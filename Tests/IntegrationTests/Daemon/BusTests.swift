import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// The daemon as any program sees it: through `busctl`, on the session bus and on its own socket.
    @Suite struct BusTests {
        private static let living = HostNames.devicePath("6D64686F-7374-4C61-8000-00000000000A")

        private func busctl(_ words: [String]) async throws -> CommandResult {
            try await Command.run(["/usr/bin/busctl"] + words)
        }

        private func answer(_ words: String...) async throws -> String {
            let result = try await busctl(["--user"] + words)
            try #require(result.status == 0, "busctl \(words): \(result)")
            return result.output
        }

        @Test func theSessionBusShowsEverything() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let tree = try await answer("tree", "--list", HostNames.busName)
                #expect(tree.split(separator: "\n").contains { $0 == Self.living }, "\(tree)")
                #expect(tree.contains("/org/mdhost/extensions/org_mdhost_dlna"))

                let manager = try await answer(
                    "introspect", HostNames.busName, "/org/mdhost", HostNames.managerInterface)
                for member in [
                    ".AcquireDiscoveryLease", ".RegisterAgent", ".Route", ".MergeDevices", ".SplitDevice", ".Quit",
                    ".Version", ".Problems", ".Settled",
                ] {
                    #expect(manager.contains(member + " "), "\(member) in \(manager)")
                }
                let device = try await answer("introspect", HostNames.busName, Self.living, HostNames.deviceInterface)
                for (member, signature) in [
                    (".Join", "oa{sv}"), (".Leave", "-"), (".SetGroupVolume", "d"), (".Group", "ao"),
                    (".GroupVolume", "d"), (".CanGroup", "b"), (".Play", "sa{sv}"), (".SetVolume", "d"),
                    (".Pair", "a{sv}"), (".Volume", "d"), (".Parts", "aa{sv}"),
                ] {
                    let line = device.split(separator: "\n").first { $0.hasPrefix(member + " ") }
                    #expect(line?.split(separator: " ").contains { $0 == signature } == true, "\(member) in \(device)")
                }
                let name = try await answer(
                    "get-property", HostNames.busName, Self.living, HostNames.deviceInterface, "Name")
                #expect(name == "s \"Living Room\"\n")
                let objects = try await answer(
                    "call", HostNames.busName, "/org/mdhost", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
                #expect(objects.hasPrefix("a{oa{sa{sv}}} ") && objects.contains(Self.living))
            }
        }

        @Test func aForeignProgramPlaysAndIsToldOfChanges() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let monitor = try RunningCommand([
                    "/usr/bin/dbus-monitor", "--session", "type='signal',path_namespace='/org/mdhost'",
                ])
                try await eventually("the monitor") {
                    monitor.output.contains("NameAcquired") || monitor.output.contains("NameLost")
                }
                let reply = try await answer(
                    "call", HostNames.busName, Self.living, HostNames.deviceInterface, "Play", "sa{sv}", LabMedia.mp3,
                    "1",
                    "title", "s", "From the Bus")
                let words = reply.split(whereSeparator: { " \"\n".contains($0) }).map(String.init)
                let session = try #require(words.last)
                #expect(words.first == "o" && session.hasPrefix(HostNames.sessionsPath + "/"), "\(reply)")
                // The client has gone by now; the session stays.
                try await Renderer.livingRoom.awaitState("PLAYING")
                try await eventually("the session's appearance") {
                    monitor.output.contains("InterfacesAdded") && monitor.output.contains(session)
                }
                try await Renderer.livingRoom.setVolume(37)
                try await eventually("the new volume") {
                    monitor.output.contains("PropertiesChanged") && monitor.output.contains("double 0.37")
                }
                _ = try await answer("call", HostNames.busName, session, HostNames.sessionInterface, "Pause")
                try await Renderer.livingRoom.awaitState("PAUSED_PLAYBACK")
                _ = try await answer("call", HostNames.busName, session, HostNames.sessionInterface, "Stop")
                try await Renderer.livingRoom.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                try await eventually("the session's end") { monitor.output.contains("InterfacesRemoved") }
                await monitor.stop()
            }
        }

        @Test func errorsHaveTheDocumentedNames() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                func refusal(_ words: String...) async throws -> String {
                    let result = try await busctl(["--user", "--verbose", "call", HostNames.busName] + words)
                    #expect(result.status != 0, "\(words): \(result)")
                    return result.errors
                }
                let room = try await home.device("Open Room").path
                #expect(try await refusal(room, HostNames.deviceInterface, "SetMuted", "b", "true").contains("mute"))
                #expect(
                    try await refusal(Self.living, HostNames.deviceInterface, "Play", "sa{sv}", "no address", "0")
                        .isEmpty == false)
                let unknown = try await refusal(
                    HostNames.devicesPath + "/nobody", HostNames.deviceInterface, "Forget")
                #expect(unknown.contains("nobody") || unknown.contains("Unknown object"), "\(unknown)")
                let type = try await refusal(Self.living, HostNames.deviceInterface, "SetVolume", "s", "loud")
                #expect(!type.isEmpty)
                #expect(try await home.status().daemon.processID > 0, "and the daemon is well")
            }
        }

        @Test func theOwnSocketIsAPeerThatBusctlReads() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                let address = "--address=unix:path=" + home.socket
                let tree = try await busctl([address, "tree", "--list", HostNames.busName])
                #expect(tree.status == 0 && tree.output.contains(Self.living), "\(tree)")
                let name = try await busctl([
                    address, "get-property", HostNames.busName, Self.living, HostNames.deviceInterface, "Name",
                ])
                #expect(name.output == "s \"Living Room\"\n", "\(name)")
                var status = stat()
                #expect(lstat(home.socket, &status) == 0 && status.st_mode & 0o777 == 0o600)
            }
        }

        @Test func theNameIsGoneWithTheDaemon() async throws {
            try await Household.open { home in
                _ = try await home.discover()
                #expect(try await answer("list", "--no-legend").contains(HostNames.busName + " "))
                try await home.quit()
                // A process loses its memory, by which it was known here, before its sockets.
                try await eventually("the bus without the name") {
                    try await !answer("list", "--acquired", "--no-legend").contains(HostNames.busName + " ")
                }
            }
        }
    }
}

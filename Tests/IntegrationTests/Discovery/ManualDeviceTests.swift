import Foundation
import HostClient
import Testing

extension Product {
    /// Devices added by address on a network without announcements: this host gets no multicast.
    @Suite struct ManualDeviceTests {
        @Test func addedDevicesAreLikeAnyOther() async throws {
            try await Self.withoutMulticast {
                try await Household.open { home in
                    #expect(try await home.discover().isEmpty, "nothing announces itself here")
                    let first: [ClientDevice] = try JSONLines.one(
                        try await home.succeed("device", "add", "10.77.0.3", "--json"))
                    #expect(!first.isEmpty && Set(first.map(\.name)).isSubset(of: ["MPD Room", "Open Room"]))
                    // A server that was cut off while it played, in the test before, takes connections again after a while.
                    var added = first
                    try await eventually("both servers; seen: \(added.map(\.name))", within: .seconds(40)) {
                        added = try await home.discover().filter { $0.addedAs == "10.77.0.3" }
                        return Set(added.map(\.name)) == ["MPD Room", "Open Room"]
                    }
                    #expect(added.allSatisfy { $0.addedAs == "10.77.0.3" && $0.availability == "ready" })
                    try await home.succeed("device", "add", "10.77.0.1", "--protocol", "DLNA")
                    try await home.succeed("device", "rename", "Open Room", "Küche")
                    try await home.succeed("play", "--detach", "küche", LabMedia.flac)
                    try await MusicServer.openRoom.awaitState("playing")
                    try await home.succeed("stop", "Küche")
                    try await home.quit()

                    // A new daemon remembers addresses and names.
                    var devices = try await home.discover()
                    #expect(Set(devices.map(\.name)).isSuperset(of: ["Küche", "MPD Room", "Living Room"]))
                    let kitchen = try #require(devices.first { $0.name == "Küche" })
                    #expect(kitchen.deviceName == "Open Room")
                    #expect(kitchen.id == added.first { $0.name == "Open Room" }?.id)
                    try await home.succeed("device", "remove", "Küche")
                    try await eventually("the end of what was added") {
                        devices = try await home.discover()
                        return !devices.contains {
                            $0.addedAs == "10.77.0.3" || $0.endpoints.contains("10.77.0.3:6600")
                        }
                    }
                    #expect(devices.map(\.name).contains("Living Room"))
                }
            }
        }

        @Test func whatIsAlsoFoundByItselfIsListedOnce() async throws {
            try await Household.open { home in
                var before = try await home.discover()
                // This host's Avahi may have been deaf a moment ago.
                try await eventually(
                    "everything that is there; seen: \(before.map { "\($0.name) \($0.availability)" })",
                    within: .seconds(40)
                ) {
                    before = try await home.discover()
                    return Set(before.map(\.name)).isSuperset(of: DiscoverTests.receivers)
                }
                try await home.succeed("device", "add", "10.77.0.3:6601")
                let after = try await home.discover()
                #expect(Set(after.map(\.id)) == Set(before.map(\.id)))
                #expect(after.first { $0.name == "Open Room" }?.addedAs == "10.77.0.3:6601")
                try await home.succeed("device", "remove", "10.77.0.3:6601")
                #expect(Set(try await home.discover().map(\.id)) == Set(before.map(\.id)))
            }
        }

        @Test(arguments: [
            (["10.77.0.99"], Int32(5), "unreachable"), (["10.77.0.4:8099"], 64, "invalid-argument"),
            (["10.77.0.3", "--protocol", "nix"], 6, "not-supported"), (["no.such.host"], 5, "unreachable"),
            (["a b"], 64, "invalid-argument"),
        ])
        func whatCannotBeAddedSaysWhy(words: [String], status: Int32, code: String) async throws {
            try await Household.open { home in
                let result = try await Command.run(
                    [Household.mdhost, "device", "add", "--json"] + words, environment: home.environment)
                #expect(result.status == status, "\(result)")
                let error: PrintedError = try JSONLines.one(result.errors)
                #expect(error.error.code == code)
            }
        }

        /// Runs `body` while this host neither hears nor sends multicast.
        private static func withoutMulticast(_ body: () async throws -> Void) async throws {
            let chain = { (hook: String) in
                """
                chain \(hook) { type filter hook \(hook) priority 0; ip daddr 224.0.0.0/4 drop; \
                ip6 daddr ff00::/8 udp dport { 1900, 5353 } drop; };
                """
            }
            let begun = try await Command.run([
                "/usr/sbin/nft", "table inet mdhost_mute { \(chain("input")) \(chain("output")) }",
            ])
            try #require(begun.status == 0, "\(begun)")
            // This host's Avahi would still answer from its cache.
            let result: Result<Void, any Error>
            do {
                try await Self.forgetAnnouncements()
                try await body()
                result = .success(())
            } catch {
                result = .failure(error)
            }
            _ = try await Command.run(["/usr/sbin/nft", "delete table inet mdhost_mute"])
            try result.get()
        }

        private static func forgetAnnouncements() async throws {
            let script = """
                pkill -KILL avahi-daemon; while pgrep avahi-daemon; do sleep 0.02; done; exec avahi-daemon --file='\(LabHost.folder)/d/avahi.conf' --daemonize \
                --no-rlimits --no-drop-root --no-chroot
                """
            let result = try await LabHost.run("sh", "-c", script, on: "d")
            try #require(result.status == 0, "\(result)")
        }
    }
}

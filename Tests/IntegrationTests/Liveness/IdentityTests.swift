import Foundation
import HostClient
import Testing

extension Product {
    /// Identity: neither an address nor an interface identifies a device.
    @Suite struct IdentityTests {
        @Test func twoRenderersAtOneAddressAreTwo() async throws {
            try await Household.open { home in
                let second = try RunningCommand([
                    LabHost.script, "in", "a", "gmediarender", "--interface-name", "eth0", "--friendly-name", "Bedroom",
                    "--port", "49495", "--uuid", "6d64686f-7374-4c61-8000-0000000000aa",
                    "--gstout-videosink=fakesink", "--gstout-audiosink=fakesink",
                ])
                let watch = try await Watch.open(home, awaiting: ["Living Room", "Bedroom"])
                let devices = try await home.status().devices.filter {
                    $0.protocolName == "DLNA" && $0.endpoints.contains { $0.contains("10.77.0.1") }
                }
                #expect(Set(devices.map(\.name)) == ["Living Room", "Bedroom"])
                #expect(Set(devices.map(\.id)).count == 2)
                watch.close()
                await second.stop()
            }
        }

        /// IPv4 and IPv6, and a second interface with networks of its own on both.
        @Test func oneServerOnTwoInterfacesIsOne() async throws {
            let processes = try ["c", "d"].map { host in
                try String(contentsOfFile: "\(LabHost.folder)/\(host)/pid", encoding: .utf8)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
            let cable = try await Command.run(
                [LabHost.script, "switch", "ip", "link", "add", "second", "netns", processes[0], "type", "veth"]
                    + ["peer", "name", "second", "netns", processes[1]])
            try #require(cable.status == 0, "\(cable)")
            for (host, index) in [("c", 3), ("d", 4)] {
                let script = """
                    echo 0 >/proc/sys/net/ipv6/conf/second/accept_dad; ip link set second up &&
                    ip address add 10.78.0.\(index)/24 dev second && ip address add fd78::\(index)/64 dev second nodad
                    """
                let result = try await LabHost.run("sh", "-c", script, on: host)
                try #require(result.status == 0, "\(result)")
            }
            let outcome: Result<Void, any Error>
            do {
                try await Household.open { home in
                    let watch = try await Watch.open(home, awaiting: ["Open Room"])
                    try await eventually("both networks") {
                        let endpoints = try await home.device("Open Room").endpoints
                        return Set(endpoints).isSuperset(of: [
                            "10.77.0.3:6601", "[fd77::3]:6601", "10.78.0.3:6601", "[fd78::3]:6601",
                        ])
                    }
                    let rooms = try await home.status().devices.filter { $0.name.contains("Open Room") }
                    #expect(rooms.count == 1, "\(rooms)")
                    // One of the networks goes: the device does not.
                    _ = try await LabHost.run("ip", "link", "set", "second", "down", on: "c")
                    try await eventually("the rest of it") {
                        try await home.device("Open Room").endpoints.contains("10.77.0.3:6601")
                    }
                    #expect(try watch.states("Open Room").allSatisfy { $0.hasPrefix("found") })
                    watch.close()
                }
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            // The other end goes with it.
            _ = try await LabHost.run("ip", "link", "delete", "second", on: "c")
            try outcome.get()
        }
    }
}

import Foundation
import Testing

extension BadInput {
    /// Machines without a working network. They have their own hosts, so other tests keep their network.
    @Suite struct NoNetworkTests {
        @Test func withoutAvahiAndDBusThereIsARemedy() async throws {
            let host = try await LabHost.up("bare", plain: true)
            try await PrivateDaemon.run(on: host) { daemon in
                let result = try await daemon.mdhost("discover", within: .seconds(20))
                #expect(result.status == 0, "\(result)")
                #expect(result.duration < .seconds(10) * slowness, "\(result)")
                result.expect("no Avahi, no D-Bus", status: 0, "avahi-daemon")
                // SSDP needs neither.
                let evil = try #require(HostileHosts.evil)
                let renderer = try await HostileRenderer.start(.init(name: "Without Avahi"), on: evil)
                let watch = try daemon.start(["discover", "--watch"])
                try await daemon.awaitRenderers([renderer])
                await watch.stop()
                renderer.stop()
            }
            try await LabHost.down("bare")
        }

        @Test func withoutANetworkItSaysSoAndFindsItAgain() async throws {
            let host = try await LabHost.up("lonely")
            try await PrivateDaemon.run(on: host) { daemon in
                try await Self.run(host, "ip link set eth0 down")
                let result = try await daemon.mdhost("discover", within: .seconds(20))
                #expect(result.duration < .seconds(10) * slowness, "\(result)")
                result.expect("no network", status: 0, "No network interface is up")
                let before = try await daemon.settledFootprint()

                let evil = try #require(HostileHosts.evil)
                let renderer = try await HostileRenderer.start(.init(name: "After the outage"), on: evil)
                let watch = try daemon.start(["discover", "--watch"])
                try await Self.run(
                    host,
                    "ip link set eth0 up; ip route replace default via 10.77.0.254; ip route replace 224.0.0.0/4 dev eth0"
                )
                try await daemon.awaitRenderers([renderer])
                try await eventually("the end of the problem") {
                    let state = try await daemon.status()["daemon"] as? [String: Any]
                    return (state?["problems"] as? [Any])?.isEmpty == true
                }
                let mpd = try await HostileMPD.start(.init(name: "Also after the outage"), on: evil)
                try await daemon.awaitDevice(mpd.name)
                await watch.stop()
                renderer.stop()
                await mpd.stop()
                print("COUNTS no network: before \(before); after \(try await daemon.settledFootprint())")
            }
            try await LabHost.down("lonely")
        }

        @Test func avahiMayGoAndComeBack() async throws {
            let evil = try #require(HostileHosts.evil)
            let host = try await LabHost.up("forlorn")
            try await PrivateDaemon.run(on: host, watching: true) { daemon in
                let mpd = try await HostileMPD.start(.init(name: "Before"), on: evil)
                try await daemon.awaitDevice(mpd.name)
                let before = try await daemon.settledFootprint()
                try await Self.run(host, "kill $(cat /run/avahi-daemon/pid)")
                let result = try await daemon.mdhost("discover", within: .seconds(20))
                result.expect("Avahi ended", status: 0, "avahi-daemon")
                try await Self.run(
                    host,
                    "avahi-daemon --file=$MDHOST_LAB_DIR/forlorn/avahi.conf --daemonize --no-rlimits --no-drop-root --no-chroot"
                )
                let late = try await HostileMPD.start(.init(name: "Afterwards"), on: evil)
                try await daemon.awaitDevice(late.name)
                try await daemon.expectReturn(to: before, "Avahi gone and back")
                await mpd.stop()
                await late.stop()
            }
            try await LabHost.down("forlorn")
        }

        private static func run(_ host: LabHost, _ script: String) async throws {
            let result = try await Command.run(host.command(["sh", "-c", script]))
            try #require(result.status == 0, "\(script): \(result)")
        }
    }
}

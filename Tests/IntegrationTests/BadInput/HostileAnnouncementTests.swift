import Foundation
import Testing

extension BadInput {
    /// SSDP that is wrong, in any number.
    @Suite struct HostileAnnouncementTests {
        @Test func aFloodKeepsNobodyFromBeingFound() async throws {
            let evil = try #require(HostileHosts.evil)
            let flood = try #require(HostileHosts.flood)
            try await PrivateDaemon.run(watching: true) { daemon in
                let first = try await HostileRenderer.start(.init(name: "Early Renderer"), on: evil)
                try await daemon.awaitRenderers([first])
                let before = try await daemon.settledFootprint()

                let announcer = try await Announcer.start(on: flood)
                Self.sendGarbage(announcer)
                Self.sendFalseLocations(announcer, flood: flood.address)
                for number in 0..<5_000 {
                    announcer.notify("uuid:\(number)-flood", location: "http://\(flood.address):9/\(number).xml")
                }
                let late = try await HostileRenderer.start(.init(name: "Late Renderer"), on: evil)
                try await daemon.awaitRenderers([late])
                #expect(try await daemon.device("Early Renderer") != nil)
                let names = try await daemon.list("devices").compactMap { $0["name"] as? String }
                #expect(!names.contains { $0.contains("flood") })

                // All of the flood stays announced, and is tried now and then.
                let after = try await daemon.expectReturn(to: before, "SSDP flood", tries: 16)
                #expect(after.megabytes < before.megabytes + 64 * slowness, "\(before) → \(after)")
                first.stop()
                late.stop()
                try await eventually("the loss of both") {
                    let devices = try await daemon.list("devices")
                    return !devices.contains { ($0["name"] as? String)?.hasSuffix(" Renderer") == true }
                }
            }
        }

        /// Each of 20,000 announcements names another address, where an answer begins and never ends.
        @Test func everNewAddressesOfAnAnswerWithoutEnd() async throws {
            let evil = try #require(HostileHosts.evil)
            let flood = try #require(HostileHosts.flood)
            try await PrivateDaemon.run(watching: true) { daemon in
                let first = try await HostileRenderer.start(.init(name: "Early Renderer"), on: evil)
                try await daemon.awaitRenderers([first])
                let before = try await daemon.settledFootprint()
                let extensions = Set(PrivateDaemon.children(of: daemon.processID))

                let server = try await HostileServer.start(on: flood) { connection in
                    guard connection.readRequest() != nil else { return }
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n<?xml version=\"1.0\"?><root>")
                    connection.waitForEnd()
                }
                let announcer = try await Announcer.start(on: flood)
                for number in 0..<20_000 {
                    announcer.notify(
                        "uuid:\(number % 500)-endless",
                        location: "http://\(server.address):\(server.port)/\(number).xml")
                }
                try await eventually("a request") { server.openCount > 0 }
                let late = try await HostileRenderer.start(.init(name: "Late Renderer"), on: evil)
                try await daemon.awaitRenderers([late])
                #expect(server.openCount <= 8)
                #expect(daemon.footprint.descriptors.values.allSatisfy { $0 <= 128 }, "\(daemon.footprint)")
                #expect(Set(PrivateDaemon.children(of: daemon.processID)) == extensions, "an extension ended")

                server.stop()
                let after = try await daemon.expectReturn(to: before, "endless answers", tries: 16)
                #expect(after.megabytes < before.megabytes + 64 * slowness, "\(before) → \(after)")
                first.stop()
                late.stop()
            }
        }

        /// No headers, no lines, no end, no sense.
        private static func sendGarbage(_ announcer: Announcer) {
            for length in [0, 1, 7, 100, 1_400, 8_193, 65_507] {
                announcer.send((0..<length).map { _ in UInt8.random(in: 0...255) })
                announcer.send(Array(repeating: 0x0A, count: length))
                announcer.send(Array(("NOTIFY * HTTP/1.1\r\nUSN: " + String(repeating: "x", count: length)).utf8))
            }
            for text in [
                "NOTIFY * HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 999999999999 OK\r\n\r\n", "M-SEARCH",
                "NOTIFY * HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 1_000),
                "NOTIFY * HTTP/1.1\r\nNTS: ssdp:alive\r\nNT:\r\nUSN:\r\nLOCATION:\r\nCACHE-CONTROL: max-age=-1\r\n\r\n",
            ] { announcer.send(Array(text.utf8)) }
        }

        private static func sendFalseLocations(_ announcer: Announcer, flood: String) {
            let locations = [
                "file:///etc/passwd", "http://10.77.0.4:22/", "http://127.0.0.1:631/", "http://localhost/d.xml",
                "http://0.0.0.0/", "http://255.255.255.255/", "http://239.255.255.250:1900/", "http://\(flood):0/",
                "http://\(flood):99999/", "http://[fe80::1]/d.xml", "http://user:pass@\(flood)/", "http://",
                "gopher://x/",
                "http://nobody.invalid/d.xml", "http://" + String(repeating: "a", count: 4_000) + "/",
            ]
            for (number, location) in locations.enumerated() {
                announcer.notify("uuid:\(number)-nowhere", location: location)
            }
        }
    }
}

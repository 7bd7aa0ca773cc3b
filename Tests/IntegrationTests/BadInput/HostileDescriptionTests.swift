import Foundation
import Testing

extension BadInput {
    /// Renderers whose description is wrong.
    @Suite struct HostileDescriptionTests {
        private typealias Manners = HostileRenderer.Manners

        @Test func noDescriptionHarmsOthers() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let good = try await HostileRenderer.start(.init(name: "Good One"), on: evil)
                try await daemon.awaitRenderers([good])
                let before = try await daemon.settledFootprint()

                var bad: [HostileRenderer] = []
                for (title, answer) in Self.answers {
                    bad.append(try await HostileRenderer.start(Manners(name: title, description: answer), on: evil))
                }
                for renderer in bad { renderer.announce() }
                for renderer in bad {
                    try await eventually("a request for \(renderer.manners.name)") {
                        renderer.count("/description.xml") > 0
                    }
                }
                let witness = try await HostileRenderer.start(Manners(name: "Second Good One"), on: evil)
                try await daemon.awaitRenderers([witness])
                let names = try await daemon.list("devices").compactMap { $0["name"] as? String }
                for renderer in bad { #expect(!names.contains(renderer.manners.name)) }

                for renderer in bad + [witness] { renderer.stop() }
                let after = try await daemon.expectReturn(to: before, "bad descriptions")
                #expect(after.megabytes < before.megabytes + 64 * slowness, "\(before) → \(after)")
                #expect(try await daemon.device("Good One") != nil)
                good.stop()
            }
        }

        private static let answers: [(String, HostileRenderer.Answer)] = [
            ("Laughing", text(laughter)), ("External", text(external)), ("Deep", text(depth)),
            ("Broken", .status(500)), ("Mute", .silence), ("Truncated", .truncated), ("Garbled", .garbage),
            (
                "Endless",
                .custom { connection in
                    connection.write(
                        "HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n<?xml version=\"1.0\"?><root>")
                    let block = [UInt8](repeating: 0x20, count: 65_536)
                    for _ in 0..<1_600 { guard connection.write(block) else { return } }
                }
            ),
            (
                "Looping",
                .custom { $0.answer("302 Found", headers: ["Location: /description.xml"]) }
            ),
            ("Headless", .custom { $0.write("\u{0}\u{1}\u{2} nothing of HTTP \r\n\r\n") }),
            (
                "Heady",
                .custom { connection in
                    connection.write("HTTP/1.1 200 OK\r\n")
                    for number in 0..<100_000 { guard connection.write("X-\(number): y\r\n") else { return } }
                }
            ),
            ("Other", text("<html><body>A router's page.</body></html>")),
            ("Negative", .custom { $0.write("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc") }),
        ]

        private static func text(_ body: String) -> HostileRenderer.Answer {
            .custom { $0.answer("200 OK", headers: ["Content-Type: text/xml"], body) }
        }

        private static let laughter = """
            <?xml version="1.0"?><!DOCTYPE root [<!ENTITY a "lol">
            \((1...12).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 == 1 ? "" : "\($0 - 1)");", count: 10))\">" }.joined())
            ]><root xmlns="urn:schemas-upnp-org:device-1-0"><device><friendlyName>&a12;</friendlyName></device></root>
            """
        private static let external = """
            <?xml version="1.0"?><!DOCTYPE root [<!ENTITY x SYSTEM "file:///etc/passwd">]>
            <root xmlns="urn:schemas-upnp-org:device-1-0"><device><friendlyName>&x;</friendlyName></device></root>
            """
        private static let depth = String(repeating: "<device>", count: 100_000)

        @Test func aHostileNameIsShownClean() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let names = [
                    "Kitchen \u{202E}evil\u{2066} speaker\u{9B}2J", String(repeating: "Long ", count: 2_000),
                    "Tabs\tand\nlines\u{2028}here",
                ]
                var renderers: [HostileRenderer] = []
                for name in names { renderers.append(try await HostileRenderer.start(.init(name: name), on: evil)) }
                try await daemon.awaitRenderers(renderers)
                let table = try await daemon.mdhost("devices")
                #expect(table.status == 0)
                let lines = table.output.split(separator: "\n")
                #expect(lines.contains { $0.contains("Kitchen evil speaker") }, "\(table)")
                #expect(lines.contains { $0.contains("Tabs and lines here") }, "\(table)")
                for scalar in table.output.unicodeScalars where scalar != "\n" {
                    let category = scalar.properties.generalCategory
                    #expect(
                        category != .control && category != .format && category != .lineSeparator, "\(scalar.value)")
                }
                #expect(table.output.utf8.count < 4_000, "a name of 10 kB is shown whole")
                for renderer in renderers { renderer.stop() }
            }
        }

        /// Two addresses claim to be one device: it is one, and it works where the newest said it is.
        @Test func oneIdentityAtTwoAddressesIsOneDevice() async throws {
            let evil = try #require(HostileHosts.evil)
            let flood = try #require(HostileHosts.flood)
            try await PrivateDaemon.run(watching: true) { daemon in
                let identifier = UUID().uuidString.lowercased()
                let first = try await HostileRenderer.start(.init(name: "Twin A", identifier: identifier), on: evil)
                let second = try await HostileRenderer.start(.init(name: "Twin B", identifier: identifier), on: flood)
                for _ in 0..<20 {
                    first.announce()
                    second.announce()
                }
                func twins() async throws -> [String] {
                    try await daemon.list("devices").compactMap { $0["name"] as? String }.filter {
                        $0.hasPrefix("Twin")
                    }
                }
                try await eventually("a twin") { try await !twins().isEmpty }
                try await eventually("both addresses were asked") {
                    first.count("/description.xml") + second.count("/description.xml") > 0
                }
                #expect(try await twins().count == 1)
                let played = try await daemon.mdhost("play", "Twin", first.media, "--detach")
                played.expect("twins", status: 0, "Playing on Twin")
                #expect(first.count("Play") + second.count("Play") == 1)
                #expect(try await daemon.mdhost("stop").status == 0)
                first.stop()
                second.stop()
            }
        }
    }
}

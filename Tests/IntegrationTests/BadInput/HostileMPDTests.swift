import Foundation
import Testing

extension BadInput {
    /// MPD servers, and announcements of such, that are wrong.
    @Suite struct HostileMPDTests {
        private struct Case: Sendable {
            var manners: HostileMPD.Manners
            var status: Int32
            var sentence: String
        }

        private static let cases = [
            Case(
                manners: .init(name: "Garbage MPD", greeting: "\u{1B}[2J\u{7}SSH-2.0-OpenSSH"), status: 5,
                sentence: "it isn't an MPD server"),
            Case(manners: .init(name: "Mute MPD", greeting: nil), status: 5, sentence: "didn't answer in time"),
            Case(
                manners: .init(name: "Leaving MPD", answer: { _, _ in false }), status: 5,
                sentence: "The connection to the device ended"),
            Case(
                manners: .init(
                    name: "Half-way MPD",
                    answer: { _, connection in
                        connection.write("volume: 5")
                        return false
                    }), status: 5, sentence: "The connection to the device ended"),
            Case(
                manners: .init(
                    name: "Endless MPD",
                    answer: { _, connection in
                        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
                        for _ in 0..<1_600 { guard connection.write(block) else { return false } }
                        return true
                    }), status: 5, sentence: "too large"),
            Case(
                manners: .init(
                    name: "Refusing MPD",
                    answer: { line, connection in
                        connection.write("ACK [5@0] {\(line.prefix(10))} no such thing\n")
                        return true
                    }), status: 1, sentence: "No such thing"),
            Case(
                manners: .init(
                    name: "Babbling MPD",
                    answer: { _, connection in
                        connection.write("no field\nbinary: -7\n\u{0}\nOK\n")
                        return true
                    }), status: 5, sentence: "sent something unexpected"),
        ]

        @Test func everyFailureIsASentence() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let good = try await HostileMPD.start(.init(name: "Mannered MPD"), on: evil)
                try await daemon.awaitDevice(good.name)
                // The first connection opens resources that stay open: the event loops.
                _ = try await daemon.mdhost("volume", good.name, "40")
                try await eventually("the end of the first connection") { good.openConnections == 0 }
                let before = try await daemon.settledFootprint()

                let servers = try await HostileMPD.start(Self.cases.map(\.manners), on: evil)
                for server in servers { try await daemon.awaitDevice(server.name) }
                try await withThrowingTaskGroup { group in
                    for (one, server) in zip(Self.cases, servers) {
                        group.addTask {
                            let result = try await daemon.mdhost("play", server.name, "http://10.77.0.4/x", "--json")
                            result.expect(one.manners.name, status: one.status, one.sentence)
                            let sentence = (result.json as? [String: Any])?["error"] as? [String: Any]
                            #expect(sentence?["code"] as? String != "internal-failure", "\(result)")
                        }
                    }
                    try await group.waitForAll()
                }
                for server in servers {
                    let name = server.name
                    let device = try await daemon.device(name)
                    #expect(device?["activation"] as? String == "idle", "\(name): \(device ?? [:])")
                    try await eventually("the end of the connections to \(name)") { server.openConnections == 0 }
                }
                let after = try await daemon.expectReturn(to: before, "hostile MPD")
                #expect(after.megabytes < before.megabytes + 64 * slowness)
                for server in servers + [good] { await server.stop() }
            }
        }

        @Test func oddAnnouncementsAreListedClean() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let before = try await daemon.settledFootprint()
                let long = (0..<30).map { "key\($0)=" + String(repeating: "v", count: 240) }
                let servers = try await HostileMPD.start(
                    [
                        .init(name: "Stuffed MPD", textRecord: long),
                        .init(name: "Bare MPD", textRecord: ["key", "key=", "KEY=other", "odd=\u{1}\u{7F}\u{9B}2J"]),
                        .init(name: "Odd \u{202E}dpm\u{7}; $(id) \"'\\.% MPD"),
                        .init(name: String(repeating: "é", count: 29)),
                    ], on: evil)
                for server in servers.prefix(2) { try await daemon.awaitDevice(server.name) }
                try await eventually("the odd names") {
                    let names = try await daemon.list("devices").compactMap { $0["name"] as? String }
                    return names.contains { $0.contains("$(id)") } && names.contains { $0.hasPrefix("ééé") }
                }
                let table = try await daemon.mdhost("devices")
                #expect(table.output.contains("Odd dpm ; $(id) \"'\\.% MPD"), "\(table)")
                for scalar in table.output.unicodeScalars where scalar != "\n" {
                    let category = scalar.properties.generalCategory
                    #expect(category != .control && category != .format, "U+\(String(scalar.value, radix: 16))")
                }
                for server in servers { await server.stop() }
                try await eventually("their loss", within: .seconds(25)) {
                    try await daemon.device(servers[0].name) == nil
                }
                try await daemon.expectReturn(to: before, "odd announcements")
            }
        }
    }
}

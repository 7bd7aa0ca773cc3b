import Foundation
import Testing

extension BadInput {
    /// Clients of the daemon's own socket.
    @Suite struct OwnSocketTests {
        @Test func nonsenseOnTheSocketIsSurvived() async throws {
            try await PrivateDaemon.run { daemon in
                let before = try await daemon.settledFootprint()
                let hello = "\0AUTH EXTERNAL " + Self.hexadecimal("\(getuid())") + "\r\n"
                let nonsense: [[UInt8]] = [
                    [], [0], Array("GET / HTTP/1.1\r\n\r\n".utf8), (0..<100_000).map { _ in UInt8.random(in: 0...255) },
                    Array("\0AUTH\r\n".utf8), Array("\0AUTH EXTERNAL 39393939\r\n".utf8), Array(hello.utf8),
                    Array((hello + "BEGIN\r\n").utf8),
                    Array((hello + "BEGIN\r\n").utf8) + Array(repeating: 0xFF, count: 4_096),
                    // A header that promises 4 GB.
                    Array((hello + "BEGIN\r\n").utf8) + [
                        0x6C, 1, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF,
                    ],
                    Array((hello + "NEGOTIATE_UNIX_FD\r\n").utf8), Array(String(repeating: "x", count: 1 << 20).utf8),
                ]
                var held: [LocalSocket] = []
                for bytes in nonsense {
                    held.append(try LocalSocket(daemon.socket))
                    held.last?.write(bytes)
                    let second = try LocalSocket(daemon.socket)
                    second.write(bytes)
                    second.close()
                    _ = try await daemon.status()
                }
                for socket in held { socket.close() }
                try await daemon.expectReturn(to: before, "nonsense on the socket")
            }
        }

        @Test func twoHundredConnectionsOpenedAndDropped() async throws {
            try await PrivateDaemon.run { daemon in
                let before = try await daemon.settledFootprint()
                let held = try (0..<200).map { _ in try LocalSocket(daemon.socket) }
                for (index, socket) in held.enumerated() where index % 2 == 0 {
                    socket.write(Array(("\0AUTH EXTERNAL " + Self.hexadecimal("\(getuid())") + "\r\nBEGIN\r\n").utf8))
                }
                _ = try await daemon.status()
                for socket in held { socket.close() }
                try await daemon.expectReturn(to: before, "200 connections")
            }
        }

        @Test func anotherUserIsRefused() async throws {
            try await PrivateDaemon.run { daemon in
                // Even where the file's mode would let them in.
                for path in [daemon.folder, daemon.folder + "/run"] { chmod(path, 0o755) }
                chmod(daemon.socket, 0o666)
                let before = try await daemon.settledFootprint()
                let result = try await Command.run(
                    [
                        "/usr/bin/setpriv", "--reuid", "65534", "--clear-groups", PrivateDaemon.program, "daemon",
                        "--quit",
                    ], environment: PrivateDaemon.environment(daemon.folder))
                result.expect("another user", status: 7, "belongs to user \(getuid()), and this is user 65534")
                try await daemon.expectReturn(to: before, "another user")
                chmod(daemon.folder, 0o700)
            }
        }

        @Test func clientsThatDieTakeNothingWithThem() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let mpd = try await HostileMPD.start(
                    .init(
                        name: "Locked MPD",
                        answer: { line, connection in
                            switch line.split(separator: " ").first {
                            case "commands":
                                connection.write("command: close\ncommand: commands\ncommand: password\nOK\n")
                            case "idle": break
                            default:
                                connection.write("ACK [4@0] {\(line.prefix(8))} you don't have permission for it\n")
                            }
                            return true
                        }), on: evil)
                try await daemon.awaitDevice(mpd.name)
                _ = try await daemon.mdhost("pair", mpd.name)
                try await eventually("the end of the first connection") { mpd.openConnections == 0 }

                func activation() async throws -> String? {
                    try await daemon.device(mpd.name)?["activation"] as? String
                }
                func dies(_ arguments: String...) async throws {
                    let client = try daemon.start(arguments, waitsForInput: true)
                    try await eventually("the prompt") { try await activation() == "awaiting-code" }
                    client.send(SIGKILL)
                    _ = await client.waitForExit()
                    try await eventually("the end of the activation") { try await activation() == "idle" }
                }
                // A process opens some descriptors once, such as the timers of libdispatch: for the first client.
                try await dies("pair", mpd.name)
                let before = try await daemon.settledFootprint()

                try await dies("pair", mpd.name)
                try await dies("play", mpd.name, "http://10.77.0.5/x.mp3")
                for _ in 0..<20 {
                    let client = try daemon.start(["discover", "--watch"])
                    client.send(SIGKILL)
                    _ = await client.waitForExit()
                }
                try await eventually("the end of the connections") { mpd.openConnections == 0 }
                try await daemon.expectReturn(to: before, "clients that died")
                await mpd.stop()
            }
        }

        /// The caller of a request has gone: the daemon must not keep the lease for it.
        @Test func leasesOfClientsThatDidNotWaitAreNotKept() async throws {
            try await PrivateDaemon.run { daemon in
                let hello = "\0AUTH EXTERNAL " + Self.hexadecimal("\(getuid())") + "\r\nBEGIN\r\n"
                let before = try await daemon.settledFootprint()
                let call = DBusBytes.call("/org/mdhost", "org.mdhost.Manager1", "AcquireDiscoveryLease")
                let patient = try LocalSocket(daemon.socket)
                patient.write(Array(hello.utf8) + call)
                try await eventually("the extensions' start") { daemon.footprint.children > 0 }
                // They leave at once, or after a moment too short for an answer.
                for number in 0..<60 {
                    let socket = try LocalSocket(daemon.socket)
                    socket.write(Array(hello.utf8) + call)
                    for _ in 0..<number % 6 { sched_yield() }
                    socket.close()
                }
                patient.close()
                try await eventually("the end of all leases") {
                    let tree = try await Command.run([
                        "/usr/bin/busctl", "--address=unix:path=\(daemon.socket)", "tree", "--list", "org.mdhost",
                    ])
                    try #require(tree.status == 0, "\(tree)")
                    return !tree.output.contains("/org/mdhost/leases/")
                }
                let after = daemon.footprint
                #expect(after.children <= PrivateDaemon.ownExtensions)
                print("COUNTS dropped leases: before \(before); after \(after)")
            }
        }

        /// The caller has gone before the device answers: the device must not begin to play.
        @Test func aPlaybackNobodyWaitsForIsGivenUp() async throws {
            let evil = try #require(HostileHosts.evil)
            try await PrivateDaemon.run(watching: true) { daemon in
                let gate = DispatchSemaphore(value: 0)
                let renderer = try await HostileRenderer.start(
                    .init(
                        name: "Slow",
                        actions: [
                            "SetAVTransportURI": .custom { connection in
                                gate.wait()
                                connection.answer("200 OK", HostileRenderer.envelope("<u:SetAVTransportURIResponse/>"))
                            }
                        ]), on: evil)
                try await daemon.awaitRenderers([renderer])
                let client = try daemon.start(["play", "Slow", renderer.media, "--detach"])
                try await eventually("the offer") { renderer.count("SetAVTransportURI") > 0 }
                client.send(SIGKILL)
                _ = await client.waitForExit()
                gate.signal()
                try await eventually("the end of the session") {
                    let activation = try await daemon.device("Slow")?["activation"] as? String
                    return try await daemon.list("sessions").isEmpty && activation == "idle"
                }
                try await eventually("the end of its subscriptions") { renderer.subscriptions == 0 }
                #expect(renderer.transport != "PLAYING")
                renderer.stop()
            }
        }

        private static func hexadecimal(_ text: String) -> String {
            text.utf8.map { String($0, radix: 16) }.joined()
        }
    }
}

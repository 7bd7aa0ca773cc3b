import Foundation
import HostClient
import HostInterface
import Testing

extension BadInput {
    /// One program that takes as many resources as it can, and its effect on the others.
    @Suite struct ManyClientsTests {
        @Test func oneProcessGetsItsShareAndOthersAreServed() async throws {
            try await PrivateDaemon.run { daemon in
                // A lease starts the extensions, which stay for a while.
                let first = try await HostClient.connect(to: daemon.socket, launching: false)
                _ = try await first.takeLease()
                await first.close()
                let before = try await daemon.settledFootprint()
                var clients: [HostClient] = []
                for _ in 0..<128 {
                    let client = try await HostClient.connect(to: daemon.socket, launching: false)
                    _ = try await client.takeLease()
                    clients.append(client)
                }
                for _ in 0..<8 {
                    await #expect(throws: HostError.self) {
                        try await HostClient.connect(to: daemon.socket, launching: false)
                    }
                }
                _ = try await daemon.status()
                await clients.removeLast().close()
                try await eventually("room for one more") {
                    guard let client = try? await HostClient.connect(to: daemon.socket, launching: false) else {
                        return false
                    }
                    await client.close()
                    return true
                }
                for client in clients { await client.close() }
                try await daemon.expectReturn(to: before, "128 clients")
            }
        }

        @Test func aClientSeesAndEndsItsOwnLeasesOnly() async throws {
            try await PrivateDaemon.run { daemon in
                let first = try await HostClient.connect(to: daemon.socket, launching: false)
                let second = try await HostClient.connect(to: daemon.socket, launching: false)
                let lease = try await first.takeLease()
                let other = try await second.takeLease()
                #expect(try await leases(of: first) == [lease])
                #expect(try await leases(of: second) == [other])
                await #expect(throws: HostError.self) { try await second.endLease(lease) }
                #expect(try await leases(of: first) == [lease])
                // More than any program needs.
                for _ in 1..<64 { _ = try await first.takeLease() }
                let error = await #expect(throws: HostError.self) { try await first.takeLease() }
                #expect(error?.code == .limitExceeded)
                try await first.endLease(lease)
                _ = try await first.takeLease()
                await first.close()
                await second.close()
            }
        }

        private func leases(of client: HostClient) async throws -> Set<String> {
            for await event in try await client.events() {
                if case .manager(let manager) = event { return Set(manager.leases.keys) }
            }
            return []
        }
    }

    /// The resources that the daemon leaves to other programs of its user.
    @Suite struct DaemonProcessTests {
        @Test func aSecondDaemonOfTheStateFolderEndsWithAnError() async throws {
            try await PrivateDaemon.run { daemon in
                var environment = PrivateDaemon.environment(daemon.folder)
                environment["MDHOST_RUNTIME_DIRECTORY"] = daemon.folder + "/other"
                for command in [["daemon", "--no-session-bus"], ["status"]] {
                    let result = try await Command.run([PrivateDaemon.program] + command, environment: environment)
                    result.expect("\(command)", status: 1, "uses the state folder \(daemon.folder)/state/mdhost")
                }
                _ = try await daemon.status()
            }
        }

        @Test func itDumpsNoCoreAndItsMemoryIsItsOwn() async throws {
            try #require(getuid() == 0)
            let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-user-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            // As a user: of a process of root's everything belongs to root anyway.
            #expect(chown(folder, 65_534, 65_534) == 0)
            let daemon = try RunningCommand(
                [
                    "/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", PrivateDaemon.program,
                    "daemon", "--no-session-bus",
                ], environment: PrivateDaemon.environment(folder))
            do {
                try await eventually("the daemon's socket") {
                    FileManager.default.fileExists(atPath: folder + "/run/socket")
                }
                let process = "/proc/\(daemon.processID)"
                let limits = try String(contentsOfFile: process + "/limits", encoding: .utf8)
                let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") } ?? ""
                #expect(line.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(line)")
                // The files of a process that isn't dumpable belong to root: the user's other programs can't read them.
                var status = stat()
                #expect(stat(process + "/environ", &status) == 0 && status.st_uid == 0)
                #expect(try String(contentsOfFile: process + "/status", encoding: .utf8).contains("Uid:\t65534"))
            } catch {
                await daemon.stop()
                throw error
            }
            await daemon.stop()
        }

        @Test(arguments: ["mdhost", "mdhost-confine", "mdhost-airplay", "mdhost-dlna"])
        func programsAreLinkedForImmediateBinding(name: String) async throws {
            let result = try await Command.run(["/usr/bin/readelf", "-dlW", PrivateDaemon.programs + "/" + name])
            #expect(result.output.contains("GNU_RELRO") && result.output.contains("BIND_NOW"))
        }
    }
}

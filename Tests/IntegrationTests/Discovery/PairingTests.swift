import Foundation
import HostClient
import Testing

extension Product {
    /// Pairing with the MPD that wants a password.
    @Suite struct PairingTests {
        private static let secret = "sesame"

        @Test func aWrongPasswordIsRefusedWithTheDevicesOwnReason() async throws {
            try await Household.open { home in
                let result = try await home.run("pair", "MPD Room", input: "wrong\n")
                #expect(result.status == 4, "\(result)")
                #expect(result.errors.contains("Incorrect password") && result.errors.contains("MPD"), "\(result)")
                #expect(result.output.isEmpty)
                let json = try await home.run("pair", "MPD Room", "--json", input: "wrong again\n")
                #expect(json.status == 4)
                #expect(try JSONLines.one(json.errors, as: PrintedError.self).error.code == "authorization-failed")
                let device = try await home.device("MPD Room")
                #expect(!device.isPaired && device.activation == "idle")
            }
        }

        @Test func whatWasPairedIsNeverAskedAgainUntilForgotten() async throws {
            try await Household.open { home in
                let paired = try await home.succeed("pair", "MPD Room", input: Self.secret + "\n")
                #expect(paired == "Paired with MPD Room.\n")
                #expect(try await home.device("MPD Room").isPaired)
                try await home.quit()

                // A question couldn't be answered here: standard input has ended.
                try await home.succeed("play", "MPD Room", LabMedia.mp3, "--detach")
                try await MusicServer.lockedRoom.awaitState("playing")
                try await home.succeed("stop", "MPD Room")
                try await MusicServer.lockedRoom.awaitState("stopped")
                try Self.expectSecretIsKept(home)

                #expect(try await home.succeed("forget", "MPD Room") == "Forgot MPD Room.\n")
                let asked = try await home.run("play", "MPD Room", LabMedia.mp3, "--detach")
                #expect(asked.status == 4, "\(asked)")
                #expect(try await MusicServer.lockedRoom.state() == "stopped")
                #expect(try await !home.device("MPD Room").isPaired)
                try await home.quit()
                #expect(Self.filesWithSecret(home).isEmpty, "a forgotten password is in no file")
            }
        }

        /// A closing connection no longer gives access, however long the device takes to close it.
        @Test func whatIsForgottenWhileItPlaysIsAskedForAtOnce() async throws {
            try await Household.open { home in
                try await home.succeed("pair", "MPD Room", input: Self.secret + "\n")
                try await home.succeed("play", "MPD Room", LabMedia.mp3, "--detach")
                try await MusicServer.lockedRoom.awaitState("playing")
                let server = try MusicServer.lockedRoom.process()
                kill(server, SIGSTOP)
                defer { kill(server, SIGCONT) }
                try await home.succeed("forget", "MPD Room")
                async let asked = home.run("pair", "MPD Room")
                try await eventually("the pairing has begun, or is over") {
                    try await home.device("MPD Room").activation != "idle"
                }
                kill(server, SIGCONT)
                let result = try await asked
                #expect(result.status == 4, "\(result)")
                #expect(try await !home.device("MPD Room").isPaired)
                try await home.succeed("pair", "MPD Room", input: Self.secret + "\n")
                #expect(try await home.device("MPD Room").isPaired)
                try await home.quit()
            }
        }

        /// The password is only in the database, which other users can't read, and nowhere in a process's visible data.
        private static func expectSecretIsKept(_ home: Household) throws {
            for file in filesWithSecret(home) {
                #expect(URL(filePath: file).lastPathComponent.hasPrefix("state.sqlite"), "the password is in \(file)")
            }
            for (path, mode) in try modes(home) {
                #expect(mode & 0o077 == 0, "\(path) has mode \(String(mode, radix: 8))")
            }
            #expect(!home.log.contains(secret))
            let daemon = home.processes
            #expect(!daemon.isEmpty)
            for process in daemon {
                for file in ["cmdline", "environ"] {
                    let text = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/\(file)"))) ?? Data()
                    #expect(text.range(of: Data(secret.utf8)) == nil, "the password is in the \(file) of \(process)")
                }
            }
        }

        private static func filesWithSecret(_ home: Household) -> [String] {
            files(home).filter {
                (try? Data(contentsOf: URL(filePath: $0)))?.range(of: Data(secret.utf8)) != nil
            }
        }

        private static func files(_ home: Household) -> [String] {
            let names = FileManager.default.enumerator(atPath: home.folder)?.compactMap { $0 as? String } ?? []
            return names.map { home.folder + "/" + $0 }
        }

        private static func modes(_ home: Household) throws -> [(String, mode_t)] {
            let inside = files(home).filter { !["/run", "/state", "/data"].contains($0.dropFirst(home.folder.count)) }
            try #require(inside.contains { $0.hasSuffix("state.sqlite") })
            return try inside.map { path in
                var status = stat()
                try #require(lstat(path, &status) == 0, "\(path)")
                return (path, status.st_mode & 0o777)
            }
        }

        @Test func aPromptCanBeCancelled() async throws {
            try await Household.open { home in
                let ended = try await home.run("pair", "MPD Room")
                #expect(ended.status == 4, "nobody can answer: \(ended)")
                #expect(ended.errors.contains("MPD Room asks for a password."))

                let prompt = try await Typist.open(home, "pair", "MPD Room")
                try await prompt.sees("Password for MPD Room:")
                prompt.type("\u{3}")
                #expect(await prompt.end() == 130, "\(prompt.screen)")
                try await eventually("the device is let go") { try await home.device("MPD Room").activation == "idle" }
                #expect(try await home.succeed("pair", "MPD Room", input: Self.secret + "\n").hasPrefix("Paired"))
            }
        }

        @Test func aTerminalAsksWithoutShowingWhatIsTyped() async throws {
            try await Household.open { home in
                let prompt = try await Typist.open(home, "pair", "MPD Room")
                try await prompt.sees("Password for MPD Room:")
                prompt.type("open wrong\n")
                // A person may correct it.
                try await prompt.sees("Incorrect password")
                try await prompt.sees("Password for MPD Room:", times: 2)
                prompt.type(Self.secret + "\n")
                #expect(await prompt.end() == 0, "\(prompt.screen)")
                #expect(prompt.screen.contains("Paired with MPD Room."))
                #expect(!prompt.screen.contains(Self.secret) && !prompt.screen.contains("open wrong"))
            }
        }
    }
}

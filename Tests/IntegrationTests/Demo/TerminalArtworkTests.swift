import Foundation
import Testing

extension Product {
    /// Artwork in `mdhost play`: a terminal of 100 columns and 40 rows, which answers as known programs do.
    @Suite struct TerminalArtworkTests {
        private static let questions = "\u{1B}[?1;1;0S\u{1B}[c"
        private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"
        private static let foot = "\u{1B}[?1;0;256S\u{1B}[?62;4;22c"
        private static let xterm = "\u{1B}[?64;1;2;6;9;15;21;22c"
        private static let pictures = (kitty: "\u{1B}_Ga=T,", sixel: "\u{1B}P0;1;0q")

        /// Red, 30 pixels wide and high.
        private static let makePicture = """
            import struct, sys, zlib
            def chunk(kind, data):
                return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            header = struct.pack(">IIBBBBB", 30, 30, 8, 2, 0, 0, 0)
            pixels = zlib.compress((b"\\0" + b"\\xff\\0\\0" * 30) * 30)
            with open(sys.argv[1], "wb") as file:
                file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
            """
        private static let resize = """
            import fcntl, struct, termios
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 1000, 800))
            """

        /// Plays with artwork that a server has.
        private static func play(
            _ home: Household, _ more: String = "", _ body: (Typist) async throws -> Void
        ) async throws {
            let python = "/usr/bin/python3"
            let folder = home.folder + "/www"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let made = try await Command.run([python, "-c", makePicture, folder + "/cover.png"])
            #expect(made.status == 0, "\(made)")
            let server = try RunningCommand(
                [python, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, "0"])
            try await eventually("the server's port") { server.output.contains(" port ") }
            let port = try #require(server.output.firstMatch(of: #/ port ([0-9]+) /#)?.1)
            let demo = try await DemoDevice.open(home, "--name", "Study", "--open")
            let sample = try await demo.ready().sample
            let artwork = "http://127.0.0.1:\(port)/cover.png"
            let person = try await Typist.open(
                home,
                line: "\(python) -c '\(resize)' && mdhost play Study '\(sample)' --artwork \(artwork) \(more)")
            try await body(person)
            #expect(await demo.close() == 0)
            await server.stop()
        }

        @Test(arguments: [(kitty, pictures.kitty, "s=30,v=30,c=24,r=12,"), (foot, pictures.sixel, "#0;2;100;0;0")])
        func aTerminalWithPicturesShowsIt(answer: String, picture: String, detail: String) async throws {
            try await Household.open { home in
                try await Self.play(home) { person in
                    try await person.sees(Self.questions)
                    person.type(answer)
                    try await person.sees(picture)
                    #expect(person.screen.contains(detail), "\(person.screen)")
                    // The keys still work, and the line goes on below the picture.
                    person.type("m")
                    try await person.sees("muted")
                    person.type("q")
                    #expect(await person.end() == 0, "\(person.screen)")
                    #expect(person.screen.components(separatedBy: Self.questions).count == 2, "asked once")
                    #expect(person.screen.components(separatedBy: picture).count == 2, "drawn once")
                }
            }
        }

        @Test func aTerminalWithoutPicturesShowsText() async throws {
            try await Household.open { home in
                try await Self.play(home) { person in
                    try await person.sees(Self.questions)
                    person.type(Self.xterm + "m")
                    try await person.sees("muted")
                    person.type("q")
                    #expect(await person.end() == 0, "\(person.screen)")
                    #expect(
                        !person.screen.contains(Self.pictures.kitty) && !person.screen.contains(Self.pictures.sixel))
                }
            }
        }

        /// A terminal that doesn't answer is played on all the same, and redirected output isn't asked.
        @Test func nobodyWaitsForAnAnswer() async throws {
            try await Household.open { home in
                try await Self.play(home) { person in
                    try await person.sees(Self.questions)
                    person.type("m")
                    try await person.sees("muted")
                    person.type("q")
                    #expect(await person.end() == 0, "\(person.screen)")
                }
            }
            try await Household.open { home in
                try await Self.play(home, "--json | cat") { person in
                    try await person.sees("\"artworkURL\":\"http:")
                    person.type("\u{3}")
                    _ = await person.end()
                    #expect(!person.screen.contains("\u{1B}"), "\(person.screen)")
                }
            }
        }
    }
}

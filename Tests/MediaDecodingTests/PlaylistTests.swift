import Foundation
import MediaDecoding
import MediaReading
import Testing

/// Playlists (HLS) and redirections over HTTPS: the parts are held to the same rules as the source.
@Suite(.timeLimit(.minutes(1))) struct PlaylistTests {
    /// One second of a sine in ADTS, as parts of playlists have it.
    private static let part: Data = {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        process.arguments = [
            "-v", "quiet", "-f", "lavfi", "-i", "sine=440:duration=1", "-ac", "2", "-ar", "44100", "-f", "adts", "-",
        ]
        process.standardOutput = output
        guard (try? process.run()) != nil else { return Data() }
        return output.fileHandleForReading.readDataToEndOfFile()
    }()

    private static var canMakeParts: Bool { part.count > 1000 }

    private func playlist(_ parts: [String]) -> Data {
        let lines = parts.map { "#EXTINF:1,\n\($0)\n" }.joined()
        return Data("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n\(lines)#EXT-X-ENDLIST\n".utf8)
    }

    private func variants(_ addresses: [String]) -> Data {
        let lines = addresses.map { "#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.2\"\n\($0)\n" }.joined()
        return Data("#EXTM3U\n\(lines)".utf8)
    }

    private func frames(_ address: String, _ trust: CertificateTrust) throws -> Int {
        let decoder = try AudioDecoder(address: address, trust: trust)
        var count = 0
        while let samples = try decoder.read() { count += samples.count / 2 }
        return count
    }

    /// Whose certificate is not trusted is not read from, wherever it is named.
    @Test(.enabled(if: canMakeParts, "needs ffmpeg"), arguments: ["part", "variant", "playlist of a variant"])
    func anUntrustedServerOfParts(place: String) throws {
        let trusted = try SecureServer()
        let other = try SecureServer()
        try other.put(Self.part, as: "1.aac")
        try other.put(playlist(["1.aac"]), as: "all.m3u8")
        try trusted.put(Self.part, as: "1.aac")
        switch place {
        case "part": try trusted.put(playlist([other.address("1.aac"), other.address("1.aac")]), as: "main.m3u8")
        case "variant": try trusted.put(variants([other.address("all.m3u8")]), as: "main.m3u8")
        default:
            try trusted.put(playlist([other.address("1.aac")]), as: "all.m3u8")
            try trusted.put(variants(["all.m3u8"]), as: "main.m3u8")
        }
        #expect(throws: DecodingError.untrusted(other.server)) {
            try frames(trusted.address("main.m3u8"), CertificateTrust(authorities: trusted.certificate))
        }
        // The exception of one is none for the other.
        #expect(throws: DecodingError.untrusted(other.server)) {
            try frames(trusted.address("main.m3u8"), CertificateTrust(exempt: [trusted.server]))
        }
        #expect(
            try frames(trusted.address("main.m3u8"), CertificateTrust(exempt: [trusted.server, other.server])) > 40_000)
    }

    @Test(.enabled(if: canMakeParts, "needs ffmpeg")) func partsOfATrustedServer() throws {
        let server = try SecureServer()
        try server.put(Self.part, as: "1.aac")
        try server.put(playlist(["1.aac", "1.aac"]), as: "all.m3u8")
        try server.put(variants(["all.m3u8"]), as: "main.m3u8")
        for trust in [CertificateTrust(authorities: server.certificate), CertificateTrust(exempt: [server.server])] {
            #expect(try frames(server.address("main.m3u8"), trust) > 80_000)
        }
        #expect(throws: DecodingError.untrusted(server.server)) {
            try frames(server.address("main.m3u8"), CertificateTrust())
        }
    }

    @Test func theExceptionOfAServerIsNoneForThoseItRedirectsTo() throws {
        let first = try SecureServer()
        let second = try SecureServer()
        try second.put(SecureServer.wave, as: "tone.wav")
        try first.redirect("tone.wav", to: second.address("tone.wav"))
        #expect(throws: DecodingError.untrusted(second.server)) {
            try frames(first.address("tone.wav"), CertificateTrust(exempt: [first.server]))
        }
        let both = CertificateTrust(exempt: [first.server, second.server])
        #expect(try frames(first.address("tone.wav"), both) == 44_100)
        let vouched = CertificateTrust(exempt: [first.server], authorities: second.certificate)
        #expect(try frames(first.address("tone.wav"), vouched) == 44_100)
    }

    /// A playlist that names itself, and two that name each other.
    @Test func playlistsThatLoopEnd() throws {
        let server = try SecureServer()
        try server.put(variants(["main.m3u8", "main.m3u8"]), as: "main.m3u8")
        try server.put(variants(["two.m3u8"]), as: "one.m3u8")
        try server.put(variants(["one.m3u8"]), as: "two.m3u8")
        try server.put(playlist(["part.m3u8"]), as: "part.m3u8")
        for name in ["main.m3u8", "one.m3u8", "part.m3u8"] {
            #expect(throws: DecodingError.self, "\(name)") {
                try frames(server.address(name), CertificateTrust(exempt: [server.server]))
            }
        }
    }

    /// Nothing on the network names a file of this machine, nor a format that opens its parts by other rules.
    @Test(arguments: ["file:///etc/passwd", "/etc/passwd", "concat:/etc/passwd|/etc/hosts", "subfile,,:/etc/passwd"])
    func filesOfThisMachineAreNotRead(address: String) throws {
        let server = try SecureServer()
        try server.put(playlist([address]), as: "main.m3u8")
        try server.put(Data("ffconcat version 1.0\nfile '\(address)'\nfile 'tone.wav'\n".utf8), as: "concat.wav")
        try server.put(SecureServer.wave, as: "tone.wav")
        for name in ["main.m3u8", "concat.wav"] {
            #expect(throws: DecodingError.self, "\(name)") {
                try frames(server.address(name), CertificateTrust(exempt: [server.server]))
            }
        }
    }
}

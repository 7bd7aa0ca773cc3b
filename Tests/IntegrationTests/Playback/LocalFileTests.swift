import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// Files of this machine: played, and served to no other device.
    @Suite struct LocalFileTests {
        private let renderer = Renderer.livingRoom

        @Test func aFileIsHeardAndGivenToThatDeviceAlone() async throws {
            try await renderer.setVolume(100)
            try await renderer.setMuted(false)
            try await Household.open { home in
                let file = home.folder + "/Ein Lied & mehr.mp3"
                try await LabMedia.make(file, frequency: 1_000, seconds: 30)
                let size = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
                try await home.succeed("play", "Living Room", file, "--detach")
                try await renderer.awaitState("PLAYING")
                try await eventually("a 1,000 Hz tone") {
                    guard let samples = Samples(endOf: Samples.livingRoomFile) else { return false }
                    return samples.loudness > 0.02 && samples.share(of: 1_000) > 0.95
                }
                let address = try await renderer.address()
                let parts = try #require(URL(string: address))
                #expect(parts.host() == "10.77.0.4" && parts.scheme == "http", "\(address)")
                // 128 random bits as hexadecimal digits.
                let token = parts.pathComponents.dropFirst().first ?? ""
                #expect(token.count >= 32 && token.allSatisfy(\.isHexDigit), "\(address)")
                #expect(!home.log.contains(token), "who reads the log cannot fetch the file")

                for host in ["b", "c", "d"] {
                    let other = try await Fetch.from(host, address)
                    // Hung up on, without an answer.
                    #expect(other.status == 0 && other.length == 0, "host \(host): \(other)")
                }
                let guessed = address.replacing(token, with: String(token.reversed()))
                #expect(try await Fetch.from("a", guessed).status == 404)

                let whole = try await Fetch.from("a", address)
                #expect(whole.status == 200 && whole.length == size, "\(whole)")
                #expect(whole.headers["content-type"] == "audio/mpeg" && whole.headers["accept-ranges"] == "bytes")
                let part = try await Fetch.from("a", address, "--range", "100-299")
                #expect(part.status == 206 && part.length == 200, "\(part)")
                #expect(part.headers["content-range"] == "bytes 100-299/\(size)")
                let beyond = try await Fetch.from("a", address, "--range", "\(size + 5)-")
                #expect(beyond.status == 416, "\(beyond)")
                let head = try await Fetch.from("a", address, "--head")
                #expect(head.status == 200 && head.headers["content-length"] == "\(size)", "\(head)")

                try await home.succeed("stop")
                let gone = try await Fetch.from("a", address)
                #expect(gone.status == 0 || gone.status == 404, "\(gone)")
            }
        }

        @Test func everyPlayHasAnAddressOfItsOwn() async throws {
            try await Household.open { home in
                let file = home.folder + "/tone.flac"
                try await LabMedia.make(file, frequency: 500, seconds: 20)
                var addresses: Set<String> = []
                for _ in 0..<2 {
                    try await home.succeed("play", "Living Room", file, "--detach")
                    try await renderer.awaitState("PLAYING")
                    addresses.insert(try await renderer.address())
                    try await home.succeed("stop")
                    try await renderer.awaitState("STOPPED", "NO_MEDIA_PRESENT")
                }
                #expect(addresses.count == 2, "\(addresses)")
            }
        }

        @Test(arguments: ["Living Room", "Audio/Video playback on lab-b", "Open Room"])
        func aFilePlaysToItsEnd(_ device: String) async throws {
            try await Household.open { home in
                let file = home.folder + "/short.mp3"
                try await LabMedia.make(file, frequency: 700, seconds: 4)
                let result = try await home.run("play", device, file, "--json", within: .seconds(30))
                #expect(result.status == 0, "\(result)\n\(home.log)")
                let states = try JSONLines.all(result.output, as: ClientSession.self)
                #expect(states.last?.state == "ended" && states.contains { $0.playback.isPlaying }, "\(result)")
                #expect(states.allSatisfy { $0.source.hasSuffix("/short.mp3") })
                #expect(try await home.sessions().isEmpty)
                try await home.quit()
            }
        }

        @Test func aFileIsServedToTwoDevicesEachByItsOwnAddress() async throws {
            try await Household.open { home in
                let file = home.folder + "/both.mp3"
                try await LabMedia.make(file, frequency: 600, seconds: 20)
                try await home.succeed("play", "Living Room", file, "--detach")
                try await home.succeed("play", "Open Room", file, "--detach")
                try await renderer.awaitState("PLAYING")
                try await MusicServer.openRoom.awaitState("playing")
                let first = try await renderer.address()
                let second = try await MusicServer.openRoom.address()
                #expect(first != second)
                #expect(try await Fetch.from("c", first).status == 404)
                #expect(try await Fetch.from("a", second).status == 404)
                try await home.succeed("stop", "Living Room")
                #expect(try await Fetch.from("c", second, "--head").status == 200, "the other goes on")
            }
        }

        @Test func aMissingFileIsNamed() async throws {
            try await Household.open { home in
                let result = try await home.run("play", "Living Room", home.folder + "/missing.mp3")
                #expect(result.status == 64 && result.errors.contains("There is no file"), "\(result)")
            }
        }
    }
}

/// An HTTP request by `curl` from a host of the lab.
private struct Fetch: CustomStringConvertible {
    /// 0 without an answer.
    var status: Int
    /// Names in lower case.
    var headers: [String: String]
    /// Bytes of the body.
    var length: Int

    var description: String { "\(status) \(headers) \(length) bytes" }

    static func from(_ host: String, _ address: String, _ options: String...) async throws -> Fetch {
        let result = try await Command.run(
            [
                LabHost.script, "in", host, "curl", "--silent", "--globoff", "--max-time", "5", "--dump-header",
                "/dev/stderr",
            ]
                + options + ["--output", "/dev/null", "--write-out", "%{http_code} %{size_download}", address])
        let numbers = result.output.split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == 2, "\(result)")
        var headers: [String: String] = [:]
        for line in result.errors.split(whereSeparator: \.isNewline) {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2 else { continue }
            headers[field[0].lowercased()] = field[1].trimmingCharacters(in: .whitespaces)
        }
        return Fetch(
            status: numbers[0], headers: headers,
            length: options.contains("--head") ? 0 : numbers[1])
    }
}

import Foundation
import Testing

extension LabHost {
    /// The lab's own folder.
    static let folder = ProcessInfo.processInfo.environment["MDHOST_LAB_DIR"] ?? ""

    /// Returns the path of a program in `scripts/lab.d`.
    static func tool(_ name: String) -> String {
        (script as NSString).deletingLastPathComponent + "/lab.d/" + name
    }

    /// Runs a command inside a host of the LAN.
    static func run(_ words: String..., on host: String) async throws -> CommandResult {
        try await Command.run([script, "in", host] + words)
    }

    /// Gives host c another IPv4 address, as a new lease would.
    static func renumber(_ address: String) async throws {
        let script = """
            ip -4 address flush dev eth0 && ip address add \(address)/24 broadcast + dev eth0 &&
            ip route add default via 10.77.0.254 && ip route add 224.0.0.0/4 dev eth0
            """
        let result = try await run("sh", "-c", script, on: "c")
        try #require(result.status == 0, "\(result)")
    }
}

/// The files of the lab's media server, see docs/lab.md.
enum LabMedia {
    static let mp3 = "http://10.77.0.4:8099/tone.mp3"
    static let flac = "http://10.77.0.4:8099/tone.flac"

    /// Makes a sound file.
    ///
    /// - Parameters:
    ///   - frequency: Hz.
    ///   - seconds: Its length.
    static func make(_ path: String, frequency: Int, seconds: Int) async throws {
        let result = try await Command.run([
            "/usr/bin/ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
            "sine=frequency=\(frequency):duration=\(seconds)", "-ar", "44100", "-ac", "2",
            "-metadata", "title=Home Recording", path,
        ])
        try #require(result.status == 0, "\(result)")
    }

    /// Makes a film of ten seconds, with 25 pictures a second, and noise with a loud click of a millisecond as its sound.
    ///
    /// - Parameters:
    ///   - folder: Where it is made.
    ///   - click: The position of the click in seconds.
    /// - Returns: Its path.
    static func film(in folder: String, click: Int) async throws -> String {
        let path = folder + "/film.mkv"
        let sound = "0.2*random(0)-0.1+0.8*between(t\\,\(click)\\,\(click).001)"
        let result = try await Command.run([
            "/usr/bin/ffmpeg", "-nostdin", "-loglevel", "error", "-y",
            "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=10",
            "-f", "lavfi", "-i", "aevalsrc=\(sound)|\(sound):s=48000:d=10",
            "-c:v", "mpeg4", "-c:a", "pcm_s16le", path,
        ])
        try #require(result.status == 0, "\(result)")
        return path
    }
}

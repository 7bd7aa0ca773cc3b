import Foundation
import Glibc
import TestConditions

/// A real MPD in a folder of its own, on a loopback port of its own, playing into nothing.
///
/// Ended by ``stop()`` through its process identifier.
final class MPDServer: @unchecked Sendable {
    // `process` is only ever replaced by the test that owns the server; everything else is immutable.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The cover beside the music; larger than one chunk, and full of bytes that look like the end of a response.
    static let cover = Array(String(repeating: "OK\nACK [50@0] {} no\nbinary: 7\n", count: 700).utf8)

    let port: Int
    private let folder: URL
    private var process: Process?

    /// - Parameters:
    ///   - password: The password for full access; without it only reading is allowed. `nil`: everything is.
    ///   - hasMixer: A Boolean value that indicates whether the output has a level.
    init(password: String? = nil, hasMixer: Bool = true) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "mpd-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "music"), withIntermediateDirectories: true)
        port = try freePort()
        for (name, seconds) in [("one", 60.0), ("two", 60.0)] {
            try Data(Waveform.tone(seconds: seconds)).write(to: folder.appending(path: "music/\(name).wav"))
        }
        try Data(Self.cover).write(to: folder.appending(path: "music/cover.png"))
        let permissions =
            password.map { "password \"\($0)@read,add,control,admin\"\ndefault_permissions \"read\"" } ?? ""
        let configuration = """
            music_directory "\(folder.path)/music"
            playlist_directory "\(folder.path)"
            db_file "\(folder.path)/db"
            state_file "\(folder.path)/state"
            log_file "\(folder.path)/log"
            bind_to_address "127.0.0.1"
            port "\(port)"
            zeroconf_enabled "no"
            restore_paused "no"
            \(permissions)
            audio_output {
              type "null"
              name "null"
              sync "yes"
              mixer_type "\(hasMixer ? "null" : "none")"
            }
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "mpd.conf"))
        try await start()
        // Until then the files of the music folder cannot be added.
        try await mpc("--wait", "update", password: password)
    }

    /// Starts the process again after ``kill()``; it takes up its queue where it left it.
    func start() async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/mpd")
        process.arguments = ["--no-daemon", folder.appending(path: "mpd.conf").path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        for _ in 0..<500 {
            if (try? await mpc("status")) != nil { return }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        let log = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        stop()
        throw Failure(description: "mpd does not answer: \(log)")
    }

    /// Ends the process as a person would; the folder stays for ``start()``.
    func terminate() { end(SIGTERM) }

    /// Kills the process at once, also if it is frozen.
    func kill() { end(SIGKILL) }

    private func end(_ signal: Int32) {
        guard let process else { return }
        Glibc.kill(process.processIdentifier, signal)
        process.waitUntilExit()
        self.process = nil
    }

    func stop() {
        terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Freezes the process: the kernel still accepts connections, but no answer comes.
    func freeze() { if let process { Glibc.kill(process.processIdentifier, SIGSTOP) } }
    func thaw() { if let process { Glibc.kill(process.processIdentifier, SIGCONT) } }

    /// Has the next process begin with an empty queue.
    func forgetQueue() { try? FileManager.default.removeItem(at: folder.appending(path: "state")) }

    /// Seconds since the process began, by its own account.
    func age() async throws -> Int {
        let uptime = try await mpc("stats").split(separator: "\n").first { $0.hasPrefix("Uptime:") }
        let parts = uptime?.split(separator: ":").suffix(3).compactMap { Int($0.suffix(2).filter(\.isNumber)) } ?? []
        return parts.reduce(0) { $0 * 60 + $1 }
    }

    /// Runs the independent client, and returns its output.
    @discardableResult
    func mpc(_ arguments: String..., password: String? = nil) async throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/mpc")
        let host = password.map { "\($0)@127.0.0.1" } ?? "127.0.0.1"
        process.arguments = ["--host", host, "--port", String(port)] + arguments
        // Into a file: reading a pipe would block one of the few threads all tests share.
        let output = folder.appending(path: "mpc-\(UUID().uuidString)")
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        let finished = AsyncStream<Int32>.makeStream()
        process.terminationHandler = {
            finished.continuation.yield($0.terminationStatus)
            finished.continuation.finish()
        }
        try process.run()
        var status: Int32 = -1
        for await value in finished.stream { status = value }
        try handle.close()
        let text = try String(contentsOf: output, encoding: .utf8)
        try FileManager.default.removeItem(at: output)
        guard status == 0 else { throw Failure(description: "mpc \(arguments): \(text)") }
        return text
    }

    /// The addresses and files in the queue, in order.
    func queue() async throws -> [String] {
        try await mpc("--format", "%file%", "playlist").split(separator: "\n").map(String.init)
    }
}

/// A tone as a WAV file.
enum Waveform {
    static func tone(seconds: Double) -> [UInt8] {
        let rate = 8000
        let count = Int(seconds * Double(rate))
        var bytes: [UInt8] = Array("RIFF".utf8) + little(UInt32(36 + count * 2)) + Array("WAVEfmt ".utf8)
        bytes += little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1)) + little(UInt32(rate))
        bytes += little(UInt32(rate * 2)) + little(UInt16(2)) + little(UInt16(16))
        bytes += Array("data".utf8) + little(UInt32(count * 2))
        bytes.reserveCapacity(bytes.count + count * 2)
        for index in 0..<count {
            let low = index % 18 < 9
            bytes.append(0)
            bytes.append(low ? 0x10 : 0xF0)
        }
        return bytes
    }

    private static func little<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
        withUnsafeBytes(of: word.littleEndian) { Array($0) }
    }
}

import Dispatch
import Foundation
import Glibc
import Testing

/// A `dbus-daemon` that belongs to one test: the machine's own bluetoothd is never reached.
struct PrivateBus: Sendable {
    static let isAvailable = access("/usr/bin/dbus-daemon", X_OK) == 0

    let address: String
    private let folder: String
    private let daemon: ChildProcess

    init() async throws {
        var template = Array("/tmp/bluez-tests-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
        daemon = try ChildProcess(
            "/usr/bin/dbus-daemon",
            [
                "--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1",
                "--address=unix:path=\(folder)/bus",
            ])
        address = await daemon.line()
        try #require(address.hasPrefix("unix:"))
    }

    func stop() async {
        await daemon.end()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// A program whose first line of output can be read.
struct ChildProcess: Sendable {
    private let process: Process
    private let output: FileHandle

    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let pipe = Pipe()
        process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        output = pipe.fileHandleForReading
        try process.run()
    }

    func line() async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var bytes: [UInt8] = []
                while let next = try? output.read(upToCount: 1)?.first, next != UInt8(ascii: "\n") {
                    bytes.append(next)
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    func end() async {
        // The only signal that the thread it was started on cannot have blocked for it.
        kill(process.processIdentifier, SIGKILL)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                process.waitUntilExit()
                continuation.resume()
            }
        }
    }
}

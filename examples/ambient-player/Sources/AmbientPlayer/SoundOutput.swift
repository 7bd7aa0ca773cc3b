import Dispatch
import Foundation
import Glibc
import Sounds
import Synchronization

/// Sends samples to a program that plays them, in real time.
final class SoundOutput: Sendable {
    /// Programs that read signed 16 bit samples from standard input, in the order they are tried.
    static let players = [
        ["pw-cat", "--playback", "--rate", "44100", "--channels", "1", "--format", "s16", "-"],
        ["paplay", "--raw", "--rate=44100", "--channels=1", "--format=s16le"],
        ["aplay", "-q", "-t", "raw", "-f", "S16_LE", "-r", "44100", "-c", "1"],
    ]

    private let soundscape = Mutex<Soundscape?>(nil)
    private let queue = DispatchQueue(label: "org.example.ambient.sound")

    /// Plays this from now on; `nil` is silence.
    func play(_ soundscape: Soundscape?) { self.soundscape.withLock { $0 = soundscape } }

    /// Starts the first available player.
    ///
    /// - Returns: Its name; `nil` without a player, and thus without sound.
    func start() -> String? {
        for words in Self.players {
            guard let path = Self.find(words[0]) else { continue }
            let process = Process()
            let input = Pipe()
            process.executableURL = URL(filePath: path)
            process.arguments = Array(words.dropFirst())
            process.standardInput = input
            guard (try? process.run()) != nil else { continue }
            queue.async { self.feed(input.fileHandleForWriting, process) }
            return words[0]
        }
        return nil
    }

    /// The player takes samples as fast as it plays them, and so paces this.
    private func feed(_ handle: FileHandle, _ process: Process) {
        signal(SIGPIPE, SIG_IGN)
        var current: Soundscape?
        var synthesizer: Synthesizer?
        while process.isRunning {
            let wanted = soundscape.withLock { $0 }
            if wanted != current {
                current = wanted
                synthesizer = wanted.map { Synthesizer($0) }
            }
            let samples = synthesizer?.samples(2205) ?? Array(repeating: 0, count: 2205)
            let bytes = samples.flatMap { sample -> [UInt8] in
                let value = UInt16(bitPattern: Int16(max(-1, min(1, sample)) * 16_000))
                return [UInt8(value & 0xFF), UInt8(value >> 8)]
            }
            guard (try? handle.write(contentsOf: Data(bytes))) != nil else { return }
        }
    }

    private static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

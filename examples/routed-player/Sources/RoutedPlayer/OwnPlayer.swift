import Foundation

/// A player that the app starts for sound without a URL: a game, or a call.
@MainActor
final class OwnPlayer {
    private var process: Process?

    /// - Parameter command: The program and its arguments, separated by spaces.
    func start(_ command: Substring) {
        stop()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command.split(separator: " ").map(String.init)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        do {
            try process.run()
            self.process = process
            Journal.write("sound: started")
        } catch {
            Journal.write("sound: \(error.localizedDescription)")
        }
    }

    func stop() {
        process?.terminate()
        process = nil
    }
}

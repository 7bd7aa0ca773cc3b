import Foundation
import Testing

/// A person at a terminal: runs a command in one (by util-linux' `script`), reads its screen and types.
final class Typist: Sendable {
    private let command: RunningCommand
    private let keyboard: FileHandle

    private init(command: RunningCommand, keyboard: FileHandle) {
        self.command = command
        self.keyboard = keyboard
    }

    static func open(_ home: Household, _ arguments: String...) async throws -> Typist {
        try await open(home, arguments)
    }

    static func open(_ home: Household, _ arguments: [String]) async throws -> Typist {
        try await open(home, line: ([Household.mdhost] + arguments).map { "'\($0)'" }.joined(separator: " "))
    }

    /// - Parameter line: The shell command for the terminal; `mdhost` is in its path.
    static func open(_ home: Household, line: String) async throws -> Typist {
        let pipe = home.folder + "/keyboard-\(UUID().uuidString)"
        try #require(mkfifo(pipe, 0o600) == 0)
        // Open for reading as well, so that neither side waits for the other.
        let descriptor = Glibc.open(pipe, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let programs = URL(filePath: Household.mdhost).deletingLastPathComponent().path
        let command = try RunningCommand(
            [
                "/bin/sh", "-c", "exec script --quiet --return --flush --command \"$1\" /dev/null <\"$2\"", "sh", line,
                pipe,
            ],
            environment: home.environment.merging([
                "TERM": "xterm", "SHELL": "/bin/sh", "PATH": programs + ":" + path,
            ]) { $1 })
        return Typist(command: command, keyboard: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    /// Everything the terminal showed until now, with its control sequences.
    var screen: String { command.output }

    /// The lines of ``screen`` without colours and cursor movements.
    var lines: [String] {
        screen.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").components(separatedBy: .newlines).filter { !$0.isEmpty }
    }

    func sees(_ text: String, times: Int = 1, within limit: Duration = .seconds(10)) async throws {
        do {
            try await eventually("“\(text)” on the screen", within: limit) {
                screen.components(separatedBy: text).count > times
            }
        } catch let error as WaitedInVain {
            throw WaitedInVain(description: "\(error); it shows: \(screen) \(command.errors)")
        }
    }

    func type(_ text: String) { keyboard.write(Data(text.utf8)) }

    /// - Returns: The command's exit code, once it has ended by itself.
    func end() async -> Int32 { await command.waitForExit() }
}

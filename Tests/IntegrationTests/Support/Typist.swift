import Foundation
import Testing

/// A person at a terminal: runs a command in one (by util-linux' `script`), reads its screen and types.
final class Typist: Sendable {
    private let command: RunningCommand
    private let keyboard: Keyboard

    private init(command: RunningCommand, keyboard: Keyboard) {
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
        let keyboard = try Keyboard(in: home.folder)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let programs = URL(filePath: Household.mdhost).deletingLastPathComponent().path
        let command = try RunningCommand(
            [
                "/bin/sh", "-c", "exec script --quiet --return --flush --command \"$1\" /dev/null <\"$2\"", "sh", line,
                keyboard.path,
            ],
            environment: home.environment.merging([
                "TERM": "xterm", "SHELL": "/bin/sh", "PATH": programs + ":" + path,
            ]) { $1 })
        return Typist(command: command, keyboard: keyboard)
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

    func type(_ text: String) { keyboard.type(text) }

    /// - Returns: The command's exit code, once it has ended by itself.
    func end() async -> Int32 { await command.waitForExit() }
}

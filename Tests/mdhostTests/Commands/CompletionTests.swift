import Foundation
import Testing

@testable import mdhost

@Suite("Completion of device names in Bash", .timeLimit(.minutes(1)))
struct CompletionTests {
    /// What the shell offers for the last word of a command line.
    private func offers(_ words: [String]) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-completion-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        // What the daemon knows, without one.
        let devices = #"[{"name":"Kitchen Speaker"},{"name":"Anna's TV"},{"name":"kettle"}]"#
        let program = folder.appending(path: "mdhost")
        try "#!/bin/sh\necho '\(devices.replacing("'", with: "'\\''"))'\n"
            .write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
        try CompletionCommand.script(for: .bash)
            .write(to: folder.appending(path: "completion"), atomically: true, encoding: .utf8)
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments =
            [
                "--norc", "-c",
                """
                PATH="$1:$PATH"; source "$1/completion"; shift
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
                _mdhost mdhost "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """, "bash", folder.path,
            ] + words
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
        "in any case, as commands find them",
        arguments: [
            ("kit", ["Kitchen Speaker"]), ("KITCHEN\\ s", ["Kitchen Speaker"]), ("k", ["Kitchen Speaker", "kettle"]),
            ("anna\\'s", ["Anna's TV"]), ("x", []), ("", ["Kitchen Speaker", "Anna's TV", "kettle"]),
        ])
    func names(_ typed: String, _ expected: [String]) throws {
        #expect(try offers(["mdhost", "pair", typed]) == expected)
    }
}

import Foundation
import Testing

@testable import mdhost

@Suite("Completion of device names", .timeLimit(.minutes(1)))
struct CompletionTests {
    /// Gives the shell a program that lists three devices, and the completion script of the real one.
    private func inFolder<Value>(of shell: CompletionCommand.Shell, _ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-completion-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let devices = #"[{"name":"Kitchen Speaker"},{"name":"Anna's TV"},{"name":"kettle"}]"#
        let program = folder.appending(path: "mdhost")
        try "#!/bin/sh\necho '\(devices.replacing("'", with: "'\\''"))'\n"
            .write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
        try CompletionCommand.script(for: shell)
            .write(to: folder.appending(path: "completion"), atomically: true, encoding: .utf8)
        return try body(folder)
    }

    private func run(_ program: String, _ arguments: [String]) throws -> [String] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
        "in Bash, in any case, as commands find them",
        arguments: [
            ("kit", ["Kitchen Speaker"]), ("KITCHEN\\ s", ["Kitchen Speaker"]), ("k", ["Kitchen Speaker", "kettle"]),
            ("anna\\'s", ["Anna's TV"]), ("x", []), ("", ["Kitchen Speaker", "Anna's TV", "kettle"]),
        ])
    func inBash(_ typed: String, _ expected: [String]) throws {
        let offers = try inFolder(of: .bash) { folder in
            let words = ["mdhost", "pair", typed]
            return try run(
                "/bin/bash",
                [
                    "--norc", "-c",
                    """
                    PATH="$1:$PATH"; source "$1/completion"; shift
                    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
                    _mdhost mdhost "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                    printf '%s\\n' "${COMPREPLY[@]}"
                    """, "bash", folder.path,
                ] + words)
        }
        #expect(offers == expected)
    }

    /// On a pseudo terminal of its own, as zsh completes lines that are edited only.
    @Test(
        "in Zsh",
        arguments: OtherShell.zsh.isInstalled
            ? [
                ("kit", "Kitchen\\ Speaker"), ("KIT", "Kitchen\\ Speaker"), ("anna", "Anna\\'s\\ TV"),
                ("ket", "kettle"),
            ] : [])
    func inZsh(_ typed: String, _ expected: String) throws {
        let line = try inFolder(of: .zsh) { folder in
            try run(
                OtherShell.zsh.program,
                [
                    "-f", "-c",
                    #"""
                    zmodload zsh/zpty; zpty shell zsh -f -i
                    zpty -w shell "PATH=$1:\$PATH; autoload -U compinit; compinit -D -u; source $1/completion; compdef _mdhost mdhost"
                    zpty -w shell 'show() { print -r -- "<<$BUFFER>>"; BUFFER=; exit }; zle -N show; bindkey "^X" show; print re""ady'
                    zpty -r shell text '*ready*'
                    zpty -w -n shell "mdhost pair $2"$'\t\x18'
                    zpty -r shell text '*>>*'
                    print -r -- ${${text##*<<}%%>>*}
                    """#, "zsh", folder.path, typed,
                ])
        }
        #expect(line.first?.trimmingCharacters(in: .whitespaces) == "mdhost pair \(expected)")
    }

    @Test(
        "in fish",
        arguments: OtherShell.fish.isInstalled
            ? [("kit", "Kitchen Speaker"), ("KIT", "Kitchen Speaker"), ("anna", "Anna's TV")] : [])
    func inFish(_ typed: String, _ expected: String) throws {
        let offers = try inFolder(of: .fish) { folder in
            try run(
                OtherShell.fish.program,
                [
                    "--no-config", "-c",
                    "set PATH $argv[1] $PATH; source $argv[1]/completion; complete -C \"mdhost pair $argv[2]\"",
                    folder.path,
                    typed,
                ])
        }
        #expect(offers == [expected])
    }
}

/// Shells that a machine need not have.
private enum OtherShell: String {
    case zsh, fish

    var program: String { "/usr/bin/" + rawValue }
    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
}

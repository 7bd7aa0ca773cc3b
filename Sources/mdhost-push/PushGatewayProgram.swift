import ArgumentParser
import Foundation
import HostClient
import HostInterface
import PushOptions

/// The push gateway: a program of its own, so that neither the daemon nor the command has TLS or HTTP/2.
///
/// `mdhost push serve` and `mdhost push keys` become this program.
@main struct PushGatewayProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mdhost-push", abstract: "Let servers start, update and end remote sessions.",
        subcommands: [Serve.self, Keys.self])

    /// Returns the folder of the keys and the authority, made if missing, which is the user's alone.
    static func folder(_ path: String?) throws(HostError) -> String {
        var folder = path
        if folder == nil {
            let state = try HostFolders.state()
            try HostFolders.prepare(state)
            folder = state + "/push"
        }
        let result = folder ?? ""
        try HostFolders.prepare(result)
        return result
    }

    static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}

/// The option that `mdhost` has for all its commands.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON, one value a line (see docs/json.md).")
    var json = false

    /// Runs the command's work; an error becomes a sentence (or JSON) on standard error and the documented exit code.
    func perform(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as HostError {
            throw fail(error)
        } catch let error where !(error is ExitCode || error is ValidationError) {
            throw fail(HostError(.internalFailure, "It failed: \(FailureReason.text(of: error))."))
        }
    }

    private func fail(_ error: HostError) -> ExitCode {
        let lines =
            json ? [CommandFailure.json(error)] : ["mdhost: " + error.message] + [error.remedy].compactMap { $0 }
        try? FileHandle.standardError.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        return ExitCode(CommandFailure.exitCode(for: error))
    }

    func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try print(String(decoding: encoder.encode(value), as: UTF8.self))
    }

    /// Writes at once: who started the program reads from a pipe.
    func print(_ line: String) throws {
        try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }
}

import ArgumentParser
import Foundation
import HostClient
import HostInterface

/// The output of a command: standard output contains the answer and nothing else.
struct Output: Sendable {
    let isJSON: Bool

    /// Prints one JSON value on one line, keys sorted, so that a stream of them is JSON Lines.
    func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        Terminal.output.write(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
        try Terminal.checkOutput()
    }

    func line(_ text: String) { Terminal.output.write(text + "\n") }

    /// Prints rows in columns that fit the terminal.
    func table(_ headings: [String], _ rows: [[Table.Cell]]) {
        let width = Terminal.output.isInteractive ? Terminal.output.width : .max
        for text in Table(headings: headings, rows: rows).lines(width: width, style: { $0($1) }) { line(text) }
    }

    /// Something a person should know that is not the answer.
    func notice(_ text: String) { Terminal.errors.write(text + "\n") }

    /// Prints the error and ends the command with its exit code.
    func fail(_ error: HostError) -> ExitCode {
        if isJSON {
            notice(CommandFailure.json(error))
        } else {
            notice(Style.bad("mdhost: ", on: .errors) + DisplayText.clean(error.message))
            if let remedy = error.remedy { notice(Style.dim("        " + DisplayText.line(remedy), on: .errors)) }
        }
        return ExitStatus.code(for: error)
    }
}

/// Options every command has.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print JSON, one value a line (see docs/json.md).")
    var json = false

    var output: Output { Output(isJSON: json) }
}

extension CommonOptions {
    /// Returns whether the argument parser shows the error, or exits with its code.
    private static func isForParser(_ error: any Error) -> Bool {
        error is ExitCode || error is ValidationError || error is CleanExit
    }

    /// Runs the command's work; an error becomes a sentence (or JSON) on standard error and the documented exit code.
    func perform(_ work: (Output) async throws -> Void) async throws {
        do {
            let code = try await exitCode { try await work(output) }
            try Terminal.checkOutput()
            if let code { throw code }
        } catch let error as HostError {
            throw output.fail(error)
        } catch let error where !Self.isForParser(error) {
            throw output.fail(HostError(.internalFailure, "It failed: \(FailureReason.text(of: error))."))
        }
    }

    /// Returns the exit code with which the work ends; `nil` if it succeeds.
    private func exitCode(_ work: () async throws -> Void) async throws -> ExitCode? {
        do {
            try await work()
            return nil
        } catch let code as ExitCode {
            return code
        }
    }
}

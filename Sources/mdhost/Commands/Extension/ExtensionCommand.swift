import ArgumentParser
import HostClient
import HostInterface

struct ExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension", abstract: "Manage extensions and write new ones.",
        subcommands: [
            List.self, Info.self, Enable.self, Disable.self, Reload.self, Logs.self, ExtensionNewCommand.self,
            ExtensionCheckCommand.self, ExtensionInstallCommand.self,
        ], defaultSubcommand: List.self)
}

/// The extensions a command is about.
struct ExtensionNames: ParsableArguments {
    @Argument(
        help: "Names, unique beginnings of names, or identifiers of extensions.", completion: .extensionNames)
    var names: [String]

    func validate() throws {
        guard !names.isEmpty else { throw ValidationError("Name an extension; `mdhost extension list` shows them.") }
    }
}

extension HostConnection {
    /// The extension a person means.
    func `extension`(named name: String) throws(HostError) -> ClientExtension {
        try ExtensionNaming.resolve(name, in: view.sortedExtensions)
    }

    /// Does something with each, also when it does not work with one before.
    ///
    /// - Throws: The first failure; further ones were told on standard error.
    func each(
        _ names: [String], _ output: Output, _ body: (ClientExtension) async throws(HostError) -> Void
    ) async throws(HostError) {
        var failure: HostError?
        for one in try ExtensionNaming.resolve(names, in: view.sortedExtensions) {
            do {
                try await body(one)
            } catch {
                if failure != nil { _ = output.fail(error) } else { failure = error }
            }
        }
        if let failure { throw failure }
    }
}

extension CompletionKind {
    /// The names of the installed extensions.
    static var extensionNames: CompletionKind {
        .shellCommand("mdhost extension list --json 2>/dev/null | grep -o '\"name\":\"[^\"]*\"' | cut -d'\"' -f4")
    }
}

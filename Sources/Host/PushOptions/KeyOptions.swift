package import ArgumentParser

/// The options of `push keys`, in `mdhost` and in the gateway's own program.
package struct KeyOptions: ParsableArguments {
    @Flag(help: "Create another key.")
    package var new = false

    @Option(help: "Remove this key: its signatures are refused from now on.")
    package var remove: String?

    package init() {}

    package static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List, create or remove signing keys of servers.")
}

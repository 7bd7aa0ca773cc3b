import ArgumentParser

/// A command whose arguments may be negative, such as `-5` or `-1:30`: they are no options.
protocol TakesSignedNumbers {}

/// The words of a command line before they are parsed.
struct CommandWords {
    let words: [String]
    /// The names of command and subcommand at the beginning.
    private let path: [String]
    private let command: any ParsableCommand.Type

    init(_ words: [String]) {
        self.words = words
        var path: [String] = []
        var command: any ParsableCommand.Type = MdhostCommand.self
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else { break }
            command = next
            path.append(word)
        }
        self.path = path
        self.command = command
    }

    /// The same words with negative numbers behind a `--`, so that the parser takes them for arguments.
    var protected: [String] {
        guard !words.contains("--") else { return words }
        guard command is any TakesSignedNumbers.Type else { return joined }
        let numbers = words.filter(Self.isNegative)
        return numbers.isEmpty ? words : words.filter { !Self.isNegative($0) } + ["--"] + numbers
    }

    /// The same words with a negative value joined to its option, `--timeout=-1`, so that it is parsed as a value.
    private var joined: [String] {
        words.reduce(into: []) { words, word in
            if Self.isNegative(word), let option = words.last, option.hasPrefix("--"), !option.contains("=") {
                words[words.count - 1] = option + "=" + word
            } else {
                words.append(word)
            }
        }
    }

    private static func isNegative(_ word: String) -> Bool {
        word.first == "-" && word.dropFirst().first.map { ("0"..."9").contains($0) } == true
    }

    /// The sentence about a command that does not exist; `nil` where each of them does.
    var complaint: String? {
        let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard path.count < words.count, !names.isEmpty else { return nil }
        let word = words[path.count]
        guard !word.hasPrefix("-"), word != "help" else { return nil }
        if path.isEmpty, word == "unmute" { return "There is no command “unmute”. Did you mean “mute --off”?" }
        let beginning = names.filter { !word.isEmpty && $0.hasPrefix(word.lowercased()) }
        let near = (beginning.isEmpty ? nearest(to: word, in: names) : beginning).prefix(3).map { quoted($0) }
        return "There is no command \(quoted(word))."
            + (near.isEmpty ? others(names) : " Did you mean \(near.joined(separator: " or "))?")
    }

    /// The commands of a command that has few.
    private func others(_ names: [String]) -> String {
        path.isEmpty ? "" : " “\(path.joined(separator: " "))” has \(names.joined(separator: ", "))."
    }

    /// The usage of the command whose subcommand does not exist.
    var usage: String {
        "Usage: " + MdhostCommand.usageString(for: command)
            + "\n  See 'mdhost \((path + ["--help"]).joined(separator: " "))' for more information."
    }

    /// Only the nearest: half of all short names are two changes away from each other.
    private func nearest(to word: String, in names: [String]) -> [String] {
        let near = EditDistance.nearest(to: word, in: names)
        let distance = near.first.map { EditDistance.between(word.lowercased(), $0) }
        return near.filter { EditDistance.between(word.lowercased(), $0) == distance }
    }

    private func quoted(_ name: String) -> String { "“" + (path + [name]).joined(separator: " ") + "”" }
}

extension MdhostCommand {
    static func main() async {
        do {
            var command = try command(from: Array(CommandLine.arguments.dropFirst()))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as UnknownCommand {
            Terminal.errors.write("Error: \(error.description)\n\(error.usage)\n")
            exit(withError: ExitStatus.usage)
        } catch {
            exit(withError: error)
        }
    }

    /// - Throws: The errors that ``exit(withError:)`` handles, including help and version.
    static func command(from words: [String]) throws -> any ParsableCommand {
        let words = CommandWords(words)
        do {
            return try parseAsRoot(words.protected)
        } catch {
            guard let complaint = words.complaint, exitCode(for: error) != .success else { throw error }
            throw UnknownCommand(description: complaint, usage: words.usage)
        }
    }
}

/// A subcommand that does not exist, with the usage of the command that has none of that name: the parser only knows
/// that of the root.
struct UnknownCommand: Error, CustomStringConvertible {
    let description: String
    let usage: String
}

import ArgumentParser

struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print the completion script of a shell.",
        discussion: """
            bash: mdhost completion bash > ~/.local/share/bash-completion/completions/mdhost
            zsh:  mdhost completion zsh > "${fpath[1]}/_mdhost"
            fish: mdhost completion fish > ~/.config/fish/completions/mdhost.fish
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        let shell: CompletionShell =
            switch shell {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        Terminal.output.write(MdhostCommand.completionScript(for: shell) + "\n")
    }
}

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

    func run() throws { Terminal.output.write(Self.script(for: shell) + "\n") }

    /// The script, which finds names in any case, as commands do.
    static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: MdhostCommand.completionScript(for: .bash) + "\n" + bashMatching
        case .zsh:
            MdhostCommand.completionScript(for: .zsh).replacing("#compdef mdhost\n", with: zshHead, maxReplacements: 1)
        // Fish does so by itself.
        case .fish: MdhostCommand.completionScript(for: .fish)
        }
    }

    /// Takes the place of the parser's function: that one compares case.
    private static let bashMatching = #"""
        __mdhost_add_completions() {
            local completion
            if [[ "${1}" != -W ]]; then
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
                return
            fi
            # As it stands in the list: readline writes and reads its quotes.
            local plain typed="${cur//[\\\"\']/}"
            while IFS='' read -r completion; do
                plain="${completion//[\\\"\']/}"
                [[ -n "${plain}" && "${plain,,}" == "${typed,,}"* ]] && COMPREPLY+=("${completion}")
            done <<<"${2}"
        }
        """#

    private static let zshHead = """
        #compdef mdhost
        zstyle ':completion:*:*:mdhost:*:*' matcher 'm:{a-zA-Z}={A-Za-z}'

        """
}

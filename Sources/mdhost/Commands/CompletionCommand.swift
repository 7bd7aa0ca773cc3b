import ArgumentParser

struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print the completion script of a shell.",
        discussion: """
            bash: echo 'source <(mdhost completion bash)' >> ~/.bashrc
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
        // Fish's own script needs no addition.
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
            local plain typed="${cur//[\\\"\']/}" index
            local -a names=()
            while IFS='' read -r completion; do
                plain="${completion//[\\\"\']/}"
                [[ -n "${plain}" && "${plain,,}" == "${typed,,}"* ]] && names+=("${completion}")
            done <<<"${2}"
            # Readline takes a name with a slash for a path, and lists only the part behind the slash.
            if [[ "${names[*]}" == */* ]] && compopt +o filenames 2>/dev/null &&
                [[ "${COMP_WORDS[COMP_CWORD]}" != [\"\']* ]]; then
                # Of a word that isn't a file name, it doesn't write the quotes.
                for index in "${!names[@]}"; do printf -v "names[index]" '%q' "${names[index]}"; done
            fi
            COMPREPLY+=("${names[@]}")
        }
        """#

    private static let zshHead = """
        #compdef mdhost
        zstyle ':completion:*:*:mdhost:*:*' matcher 'm:{a-zA-Z}={A-Za-z}'

        """
}

import Foundation
import Testing

extension Product {
    /// All its files are below `$HOME` unless an XDG variable is set, independent of the home in the password file.
    @Suite struct HomeFolderTests {
        /// In a mount namespace where the places that it could write to otherwise are empty.
        private static let script = """
            set -eu
            program=$1 passwords_home=$2 clone=$3
            mount -t tmpfs none /mnt
            mkdir /mnt/home /mnt/clone
            mount --bind "$clone" /mnt/clone
            for place in /tmp /var/tmp "$passwords_home"; do mount -t tmpfs none "$place"; done
            # The clone itself may be in one of these.
            [ -e "$program" ] || { mkdir -p "$clone" && mount --bind /mnt/clone "$clone"; }
            touch /mnt/stamp
            cd /mnt/home
            mdhost() { env -i HOME=/mnt/home PATH=/usr/bin:/bin "$program" "$@" </dev/null; }
            # Not by the function: its process would be a shell's.
            env -i HOME=/mnt/home PATH=/usr/bin:/bin "$program" demo --json --open --name Study >/mnt/demo </dev/null &
            demo=$!
            until grep -q '"event":"ready"' /mnt/demo; do :; done
            mdhost discover
            mdhost play Study "$(grep -o 'http://[^"]*' /mnt/demo)" --detach
            mdhost volume Study -5
            mdhost status Study
            mdhost stop
            mdhost device rename Study Library
            mdhost forget Library
            mdhost sessions
            mdhost extension list
            mdhost extension new Kettle
            mdhost push keys --new
            mdhost doctor --bundle report.tar.gz Library
            mdhost completion bash >completion
            mdhost daemon --quit
            # What runs in the background ignores the other signals of a terminal.
            kill -TERM "$demo"
            wait "$demo" || true
            echo OUTSIDE
            find /tmp /var/tmp "$passwords_home" -mindepth 1 \\( -path "$clone" -prune -o -newer /mnt/stamp -print \\)
            find /run -newer /mnt/stamp -name '*mdhost*'
            echo INSIDE
            cd /mnt/home
            find . -type f -o -type d -name run
            """

        private static let clone = URL(filePath: #filePath).appending(path: "../../../..").standardized.path

        @Test func nothingIsWrittenOutsideHome() async throws {
            let passwords = String(cString: try #require(getpwuid(getuid())?.pointee.pw_dir))
            let result = try await Command.run([
                "/usr/bin/unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child",
                "--mount-proc",
                "/bin/bash", "-c", Self.script, "bash",
                Household.mdhost, passwords, Self.clone,
            ])
            try #require(result.status == 0, "\(result)")
            let lines = result.output.components(separatedBy: "\n")
            let outside = try #require(lines.firstIndex(of: "OUTSIDE"))
            let inside = try #require(lines.firstIndex(of: "INSIDE"))
            #expect(lines[(outside + 1)..<inside].isEmpty, "\(result)")
            let files = Set(lines[inside...])
            for file in [
                "./.local/state/mdhost/state.sqlite", "./.local/state/mdhost/daemon.log", "./.local/state/mdhost/run",
            ] {
                #expect(files.contains(file), "\(file) is missing: \(result)")
            }
        }
    }
}

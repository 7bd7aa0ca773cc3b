import Testing

@testable import Confinement

/// Which folders, links and mounts make the places of a policy, whatever links lead to them.
struct ViewLayoutTests {
    private struct Names: NameSource {
        var kinds: [String: ViewLayout.Kind]
        func kind(of path: String) -> ViewLayout.Kind? { kinds[path] }
    }

    private func layout(
        _ kinds: [String: ViewLayout.Kind], _ places: [(String, ConfinementPolicy.Place.Access)]
    ) -> [String] {
        var layout = ViewLayout(Names(kinds: kinds))
        for (path, access) in places { layout.add(.init(path, access)) }
        return layout.entries.map { entry in
            switch entry.kind {
            case .folder: "folder \(entry.path)"
            case .link(let target): "link \(entry.path) -> \(target)"
            case .mount(let index, let isFolder):
                "\(layout.mounts[index].access) \(isFolder ? "folder" : "file") \(entry.path)"
                    + (layout.mounts[index].isWithinAnother ? " within" : "")
            }
        }
    }

    @Test func aMergedUsr() {
        let kinds: [String: ViewLayout.Kind] = [
            "/usr": .folder, "/usr/bin": .folder, "/bin": .link("usr/bin"), "/lib64": .link("/usr/lib64"),
            "/usr/lib64": .folder,
        ]
        #expect(
            layout(kinds, [("/usr", .run), ("/bin", .run), ("/lib64", .run), ("/lib32", .run)]) == [
                "link /bin -> usr/bin", "link /lib64 -> /usr/lib64", "run folder /usr", "run folder /usr/bin within",
                "run folder /usr/lib64 within",
            ])
    }

    @Test func aFileBehindALinkElsewhere() {
        let kinds: [String: ViewLayout.Kind] = [
            "/etc": .folder, "/etc/resolv.conf": .link("../run/systemd/resolve/stub-resolv.conf"), "/run": .folder,
            "/run/systemd": .folder, "/run/systemd/resolve": .folder, "/run/systemd/resolve/stub-resolv.conf": .file,
        ]
        #expect(
            layout(kinds, [("/etc/resolv.conf", .read), ("/run/systemd/resolve", .read)]) == [
                "folder /etc", "link /etc/resolv.conf -> ../run/systemd/resolve/stub-resolv.conf", "folder /run",
                "folder /run/systemd", "read folder /run/systemd/resolve",
                "read file /run/systemd/resolve/stub-resolv.conf within",
            ])
    }

    @Test func theOwnFolderBehindALinkedHome() {
        let kinds: [String: ViewLayout.Kind] = [
            "/home": .link("/data/home"), "/data": .folder, "/data/home": .folder, "/data/home/ada": .folder,
            "/data/home/ada/state": .folder,
        ]
        #expect(
            layout(kinds, [("/home/ada/../ada/./state", .write)]) == [
                "folder /data", "folder /data/home", "folder /data/home/ada", "write folder /data/home/ada/state",
                "link /home -> /data/home",
            ])
    }

    @Test func linksWithoutEndAndWhatIsNotThereStayOut() {
        let kinds: [String: ViewLayout.Kind] = ["/a": .link("/b"), "/b": .link("/a"), "/c": .folder]
        #expect(layout(kinds, [("/a", .read), ("/c/d", .write), ("/", .write), ("", .write)]).isEmpty)
    }

    @Test func thePlaceThatIsNamedTwiceIsWritable() {
        let kinds: [String: ViewLayout.Kind] = ["/a": .folder, "/a/b": .file]
        #expect(
            layout(kinds, [("/a", .read), ("/a/b", .write), ("/a", .write)]) == [
                "write folder /a", "write file /a/b within",
            ])
    }
}

import Foundation
import HostClient
import HostInterface
import Testing

@Suite("Folders of the daemon")
struct HostFoldersTests {
    @Test(
        "the socket's folder",
        arguments: [
            (["MDHOST_RUNTIME_DIRECTORY": "/a", "XDG_RUNTIME_DIR": "/b"], "/a"),
            (["XDG_RUNTIME_DIR": "/b"], "/b/mdhost"),
            (["MDHOST_RUNTIME_DIRECTORY": "", "XDG_RUNTIME_DIR": "/b"], "/b/mdhost"),
            ([:], "/tmp/mdhost-\(getuid())"), (["XDG_RUNTIME_DIR": ""], "/tmp/mdhost-\(getuid())"),
            (["XDG_RUNTIME_DIR": "relative"], "/tmp/mdhost-\(getuid())"),
        ] as [([String: String], String)])
    func runtime(_ environment: [String: String], _ folder: String) {
        #expect(HostFolders.runtime(environment) == folder)
    }

    @Test(
        "the state's folder",
        arguments: [
            (["XDG_STATE_HOME": "/s"], "/s/mdhost"), ([:], NSHomeDirectory() + "/.local/state/mdhost"),
            (["XDG_STATE_HOME": "relative"], NSHomeDirectory() + "/.local/state/mdhost"),
        ] as [([String: String], String)])
    func state(_ environment: [String: String], _ folder: String) {
        #expect(HostFolders.state(environment) == folder)
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "mdhost-folders-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func mode(_ path: String) -> Int? {
        try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a folder is made for this user only, and one that is open to others is closed")
    func modes() throws {
        try inFolder { folder in
            try HostFolders.prepare(folder + "/a/b")
            #expect(mode(folder + "/a/b") == 0o700)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/a/b")
            try HostFolders.prepare(folder + "/a/b")
            #expect(mode(folder + "/a/b") == 0o700)
        }
    }

    @Test("a link somebody else may have made, a file and an impossible place are refused")
    func refused() throws {
        try inFolder { folder in
            try HostFolders.prepare(folder + "/real")
            try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/real")
            #expect(FileManager.default.createFile(atPath: folder + "/file", contents: nil))
            for path in [folder + "/link", folder + "/file", folder + "/file/below"] {
                let error = #expect(throws: HostError.self) { try HostFolders.prepare(path) }
                #expect(error?.code == .storageFailed, "\(path)")
            }
        }
    }
}

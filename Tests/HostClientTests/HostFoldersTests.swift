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
            (["HOME": "/h"], "/h/.local/state/mdhost/run"),
            (["HOME": "/h", "XDG_RUNTIME_DIR": ""], "/h/.local/state/mdhost/run"),
            (["HOME": "/h", "XDG_RUNTIME_DIR": "relative"], "/h/.local/state/mdhost/run"),
            (["XDG_STATE_HOME": "/s"], "/s/mdhost/run"),
        ] as [([String: String], String)])
    func runtime(_ environment: [String: String], _ folder: String) throws {
        #expect(try HostFolders.runtime(environment) == folder)
    }

    @Test(
        "the state's folder",
        arguments: [
            (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/mdhost"), (["HOME": "/h"], "/h/.local/state/mdhost"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/mdhost"),
        ] as [([String: String], String)])
    func state(_ environment: [String: String], _ folder: String) throws {
        #expect(try HostFolders.state(environment) == folder)
    }

    @Test("the folders for the cache and for extensions")
    func others() throws {
        #expect(try HostFolders.cache(["HOME": "/h"]) == "/h/.cache/mdhost")
        #expect(try HostFolders.cache(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/mdhost")
        #expect(try HostFolders.extensions(["HOME": "/h"]) == "/h/.local/share/mdhost/extensions")
        #expect(try HostFolders.extensions(["XDG_DATA_HOME": "/d"]) == "/d/mdhost/extensions")
    }

    @Test("without a home the variable to set is named, and the password file is not asked")
    func homeless() {
        for environment in [[:], ["HOME": ""], ["HOME": "relative", "XDG_STATE_HOME": "relative"]] {
            let error = #expect(throws: HostError.self) { try HostFolders.state(environment) }
            #expect(error?.code == .storageFailed && error?.message.contains("XDG_STATE_HOME") == true)
            #expect(throws: HostError.self) { try HostFolders.runtime(environment) }
        }
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

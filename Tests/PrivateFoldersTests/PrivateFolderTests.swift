import Foundation
import Testing

@testable import PrivateFolders

/// With other users' rights taken away by the mode alone.
struct PrivateFolderTests {
    private let base = FileManager.default.temporaryDirectory.path + "/private-folders-\(UUID().uuidString)"

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: ["", "/", "//"])
    func theFoldersAboveAreMadeToo(ending: String) throws {
        defer { try? FileManager.default.removeItem(atPath: base) }
        try PrivateFolder.make(base + "/one//two" + ending)
        for path in [base, base + "/one", base + "/one/two"] { #expect(try mode(path) == 0o700) }
        try PrivateFolder.make(base + "/one/two")
    }

    @Test func anExistingFolderKeepsItsMode() throws {
        defer { try? FileManager.default.removeItem(atPath: base) }
        try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: base)
        try PrivateFolder.make(base + "/one")
        #expect(try mode(base) == 0o755)
    }

    @Test func theSystemsReasonIsTold() throws {
        #expect(throws: PrivateFolder.Failure(code: ENOTDIR)) { try PrivateFolder.make("/dev/null/one/two") }
        #expect(throws: PrivateFolder.Failure(code: ENOENT)) { try PrivateFolder.make("") }
        defer { try? FileManager.default.removeItem(atPath: base) }
        try PrivateFolder.make(base)
        try FileManager.default.createSymbolicLink(atPath: base + "/link", withDestinationPath: base + "/nowhere")
        #expect(throws: PrivateFolder.Failure(code: ENOENT)) { try PrivateFolder.make(base + "/link/one") }
    }
}

import Foundation
import Testing
import TypeIdentifiers

/// The search for a program's `Info.plist`, in a folder of the test's own.
@Suite final class ProgramFolderTests {
    private let folder = NSTemporaryDirectory() + "/ProgramFolderTests-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ path: String, identifier: String, executable: String? = nil) throws {
        let line = executable.map { "<key>CFBundleExecutable</key><string>\($0)</string>" } ?? ""
        try write(
            path, ProgramInformationTests.list("<key>CFBundleIdentifier</key><string>\(identifier)</string>" + line))
    }

    private func write(_ path: String, _ data: Data) throws {
        let url = URL(fileURLWithPath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    private var program: ProgramFolder { ProgramFolder(executable: folder + "/player") }

    @Test func noneIsEmpty() throws {
        #expect(try program.information() == ProgramInformation())
    }

    @Test func everyPlaceInOrder() throws {
        try write("Host_Player.resources/Player.app/Info.plist", identifier: "app", executable: "player")
        #expect(try program.information().bundleIdentifier == "app")
        try write("Host_Player.resources/A.mdext/Info.plist", identifier: "resources", executable: "player")
        #expect(try program.information().bundleIdentifier == "resources")
        try write("Broken.mdext/Info.plist", Data("garbage".utf8))
        try write("Other.mdext/Info.plist", identifier: "other", executable: "other")
        try write("Mine.mdext/Info.plist", identifier: "declared", executable: "player")
        #expect(try program.information().bundleIdentifier == "declared")
        try write("player.app/Info.plist", identifier: "named app")
        #expect(try program.information().bundleIdentifier == "named app")
        try write("player.mdext/Info.plist", identifier: "named")
        #expect(try program.information().bundleIdentifier == "named")
        try write("Info.plist", identifier: "neighbour", executable: "other")
        #expect(try program.information().bundleIdentifier == "named")
        try write("Info.plist", identifier: "beside", executable: "player")
        #expect(try program.information().bundleIdentifier == "beside")
        try write("elsewhere.plist", identifier: "environment")
        let told = ProgramFolder(executable: folder + "/player", namedPropertyList: folder + "/elsewhere.plist")
        #expect(try told.information().bundleIdentifier == "environment")
        #expect(try told.information().path == folder + "/elsewhere.plist")
    }

    @Test func theProgramsOwnListMustBeReadable() throws {
        try write("Info.plist", Data("garbage".utf8))
        #expect(throws: ProgramInformationError.self) { try program.information() }
        let missing = ProgramFolder(executable: "/nowhere/player", namedPropertyList: "/nowhere/Info.plist")
        let error = #expect(throws: ProgramInformationError.self) { try missing.information() }
        guard case .unreadable? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aListThatIsTooLargeIsNotLoaded() throws {
        try write("Info.plist", Data(count: ProgramInformationError.greatestSize + 1))
        let error = #expect(throws: ProgramInformationError.self) { try program.information() }
        #expect(error?.reason == .tooLarge(ProgramInformationError.greatestSize + 1))
    }

    @Test func theRunningProgramIsFound() {
        #expect(!ProgramFolder.current.executable.isEmpty)
        #expect(FileManager.default.fileExists(atPath: ProgramFolder.current.executable))
    }
}

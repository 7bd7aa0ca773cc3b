import Foundation
import HostClient
import Testing

/// The extension for MPD behind a faulty link (`Tests/Support/FaultyRelay`), installed in a household instead of
/// mdhost's own one.
struct FaultyMPD: Sendable {
    static let identifier = "org.mdhost.mpd"
    private let home: Household

    /// To be called before the household's daemon is started.
    static func install(_ home: Household) throws -> FaultyMPD {
        let files = FileManager.default
        let bundle = home.folder + "/data/mdhost/extensions/MPD.mdext"
        try files.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        let programs = PrivateDaemon.programs
        var manifest = try String(
            contentsOfFile: programs + "/mdhost_MPDExtension.resources/MPD.mdext/Info.plist", encoding: .utf8)
        manifest.replace(
            "<key>CFBundleExecutable</key>",
            with: "<key>MDHostRunsPrograms</key><true/><key>CFBundleExecutable</key>")
        manifest.replace("<string>mdhost-mpd</string>", with: "<string>relay</string>")
        try ProgramCopy.make(of: programs + "/FaultyRelay", at: bundle + "/relay")
        try ProgramCopy.make(of: programs + "/mdhost-mpd", at: bundle + "/original")
        try Data(manifest.utf8).write(to: URL(filePath: bundle + "/Info.plist"))
        return FaultyMPD(home: home)
    }

    private var order: String { home.folder + "/state/mdhost/extensions/\(Self.identifier)/order" }

    /// Sends an order to its process, or to the next one if `isForNext`; see `Order`.
    func order(_ line: String, isForNext: Bool = false) async throws {
        // Whole at once: it is read as soon as it is there.
        try Data((line + "\n").utf8).write(to: URL(filePath: order + "-new"))
        try #require(rename(order + "-new", order) == 0)
        guard !isForNext else { return }
        try await eventually("somebody who takes the order “\(line)”") { access(order, F_OK) != 0 }
    }

    func status() async throws -> ClientExtension {
        try JSONLines.one(try await home.succeed("extension", "info", Self.identifier, "--json"))
    }

    /// A new process that does as it should, and whose earlier crashes are forgotten.
    func heal() async throws {
        try? FileManager.default.removeItem(atPath: order)
        try await home.succeed("extension", "reload", Self.identifier)
    }
}

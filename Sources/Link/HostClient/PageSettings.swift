import Foundation
package import HostInterface

/// The stored settings of the page besides its browsers: `settings.json` in its folder, mode 0600.
package struct PageSettings: Codable, Sendable, Hashable {
    /// The port of a page that was never opened before.
    package static let usualPort = 8470

    /// A Boolean value that indicates whether the page starts with the daemon.
    package var isEnabled = false
    /// A Boolean value that indicates whether the page listens on the local network.
    package var isInNetwork = false
    package var port = PageSettings.usualPort
    /// The first part of the page's own name, `NAME.localhost`.
    ///
    /// Cookies are for a name and all its ports, so another server on this computer would get that of `127.0.0.1`.
    package var localName = PageSettings.makeName()

    package init() {}

    private static func makeName() -> String {
        var generator = SystemRandomNumberGenerator()
        let symbols = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        return "mdhost-" + String((0..<12).map { _ in symbols[Int.random(in: 0..<symbols.count, using: &generator)] })
    }

    private static func path(_ folder: String) -> String { folder + "/settings.json" }

    /// Returns the settings; those of a new page if there are none, or they can't be understood.
    package static func load(folder: String) -> PageSettings {
        // The confined page writes here, and the daemon and the keeper read.
        guard let data = PrivateFile.contents(of: path(folder), limit: 65_536),
            let settings = try? JSONDecoder().decode(PageSettings.self, from: data),
            (1...65_535).contains(settings.port), settings.localName.allSatisfy(\.isHostNameSymbol)
        else { return PageSettings() }
        return settings
    }

    package static func isSaved(folder: String) -> Bool { FileManager.default.fileExists(atPath: path(folder)) }

    /// - Throws: ``HostError`` `storage-failed`.
    package func save(folder: String) throws(HostError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let data = try? encoder.encode(self) else {
            throw HostError(.internalFailure, "The settings can't be encoded.")
        }
        try PrivateFile.replace(Self.path(folder), with: data)
    }
}

extension Character {
    fileprivate var isHostNameSymbol: Bool { isASCII && (isLetter || isNumber || self == "-") }
}

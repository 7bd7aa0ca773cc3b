import Foundation
import HostClient
import HostInterface

/// The file of the browsers that may use the page, mode 0600, replaced as a whole.
struct BrowserFile: Sendable {
    private static let largest = 1 << 20

    let path: String

    private struct Contents: Codable {
        var version = 1
        var browsers: [PageBrowser]
    }

    /// - Throws: ``HostError`` `storage-failed` if the file is there and can't be read: nobody is let in by mistake, and no
    ///   browser is forgotten.
    func load() throws(HostError) -> [PageBrowser] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            guard data.count <= Self.largest else { throw CocoaError(.fileReadTooLarge) }
            return try JSONDecoder().decode(Contents.self, from: data).browsers
        } catch {
            throw HostError(
                .storageFailed, "Couldn't read the browsers in \(path): \(FailureReason.text(of: error))",
                remedy: "Remove the file; then open the page again with `mdhost page`.")
        }
    }

    /// - Throws: ``HostError`` `storage-failed`.
    func save(_ browsers: [PageBrowser]) throws(HostError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let data = try? encoder.encode(Contents(browsers: browsers)) else {
            throw HostError(.internalFailure, "The browsers can't be encoded.")
        }
        try PrivateFile.replace(path, with: data)
    }
}

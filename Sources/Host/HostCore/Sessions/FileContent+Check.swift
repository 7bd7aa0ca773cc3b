import Foundation
import HostInterface

extension FileContent {
    /// Checks a local file before it is played.
    ///
    /// - Throws: ``HostError`` `file-not-found`, `invalid-argument` for a folder, `unsupported-format`.
    static func check(_ file: URL) throws(HostError) {
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
            throw HostError(.fileNotFound, "There is no file \(file.path).")
        }
        guard !isFolder.boolValue else { throw HostError(.invalidArgument, "\(file.path) is a folder.") }
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw HostError(.fileNotFound, "The file \(file.path) cannot be read.")
        }
        // Check before any device is involved. Files that aren't regular are refused when they are served.
        guard let status = try? file.resourceValues(forKeys: [.isRegularFileKey]), status.isRegularFile == true,
            let handle = try? FileHandle(forReadingFrom: file)
        else { return }
        defer { try? handle.close() }
        guard let beginning = try? handle.read(upToCount: FileContent.length) ?? Data() else { return }
        if case .other(let kind) = FileContent(beginning, suffix: file.pathExtension) {
            throw HostError(.unsupportedFormat, "\(file.lastPathComponent) is \(kind), not audio or video.")
        }
    }
}

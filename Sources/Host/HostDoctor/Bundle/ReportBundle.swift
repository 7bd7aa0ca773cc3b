import Foundation
package import HostInterface

/// A `.tar.gz` for a bug report: texts that were redacted, and nothing else.
package struct ReportBundle {
    /// The maximum size of a file. Only the end of a longer file is included, because that shows the latest events.
    static let longestFile = 1 << 20

    private var redactor: Redactor
    private var files: [(name: String, text: String)] = []

    package init(redactor: Redactor) { self.redactor = redactor }

    package mutating func add(_ text: String, as name: String) {
        files.append((name, redactor.redact(text)))
    }

    /// Adds the end of the file if it exists.
    package mutating func addFile(_ path: String, as name: String) {
        guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else { return }
        let begin = size > UInt64(Self.longestFile) ? size - UInt64(Self.longestFile) : 0
        guard (try? file.seek(toOffset: begin)) != nil, let data = try? file.readToEnd() else { return }
        add(String(decoding: data, as: UTF8.self), as: name)
    }

    /// Writes the archive with everything in one folder. Only its owner can read it.
    ///
    /// - Throws: ``HostError`` `storage-failed`. An incomplete archive is deleted, and an existing file is replaced
    ///   only by a complete one.
    package func write(to path: String) throws(HostError) {
        let manager = FileManager.default
        let place = manager.temporaryDirectory.appending(path: "mdhost-report-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: place) }
        // The folder may be one where others write, such as /tmp: nothing that is there already is opened.
        let unfinished = "\(path).\(UUID().uuidString).part"
        do {
            let folder = place.appending(path: "mdhost-report")
            try manager.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for file in files { try Data(file.text.utf8).write(to: folder.appending(path: file.name)) }
            let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            let archive = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try pack(place.path, into: archive)
            try archive.close()
            guard rename(unfinished, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? manager.removeItem(atPath: unfinished)
            throw HostError(.storageFailed, "The report \(path) cannot be written: \(FailureReason.text(of: error))")
        }
    }

    private func pack(_ folder: String, into archive: FileHandle) throws {
        let tar = Process()
        tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        tar.arguments = [
            "tar", "--create", "--gzip", "--owner=0", "--group=0", "--file", "-", "-C", folder, "mdhost-report",
        ]
        tar.standardOutput = archive
        try tar.run()
        tar.waitUntilExit()
        guard tar.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

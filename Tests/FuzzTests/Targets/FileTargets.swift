import Confinement
import Foundation
import HTTPTypes
import Logging
import TypeIdentifiers

@testable import HostConfinement
@testable import HostExtensions
@testable import HostFiles

extension FuzzTarget {
    /// An extension's `Info.plist`, which the host reads from its folder and the extension from its own.
    static let manifest = FuzzTarget(
        name: "manifest",
        words: ["<dict>", "</dict>", "<array>", "</array>", "<string>", "<integer>", "<true/>", "<key>", "&#0;"],
        outcomes: ["refused", "readable", "manifest"], usualRuns: 1_000
    ) { bytes in
        let folder = try Scratch.folder.get()
        try Scratch.write(bytes, to: folder + "/Info.plist")
        var outcome = "refused"
        if (try? ProgramInformation(propertyList: Data(bytes), path: "Info.plist")) != nil { outcome = "readable" }
        _ = try? PropertyListFile.dictionary(at: folder + "/Info.plist")
        guard let manifest = try? ExtensionManifest.read(bundle: folder) else { return outcome }
        let shown = manifest.identifier + manifest.displayName + manifest.version
        try demand(shown.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "the name \(shown)")
        try demand(!manifest.identifier.contains("/") && !manifest.identifier.hasPrefix("."), manifest.identifier)
        try demand(manifest.executablePath == folder + "/program", "the program \(manifest.executablePath)")
        try demand(manifest.listeningPorts.allSatisfy { $0 >= 1024 }, "ports \(manifest.listeningPorts)")
        return "manifest"
    }

    /// A program or library (ELF), as the host reads it to find the libraries it loads.
    static let program = FuzzTarget(
        name: "program", seeds: { [try Scratch.head(of: "/proc/self/exe"), try Scratch.head(of: "/bin/sh")] },
        words: ["\u{7F}ELF", "$ORIGIN", "/lib"], outcomes: ["refused", "program"], usualRuns: 1_000
    ) { bytes in
        let path = try Scratch.folder.get() + "/object"
        try Scratch.write(bytes, to: path)
        guard let object = ELFObject(path: path) else { return "refused" }
        try demand(object.needed.count <= 256 && object.interpreter?.utf8.count ?? 0 <= 4096, "too much of it")
        _ = ProgramLibraries.find(of: path)
        return "program"
    }

    /// The output of an extension and the messages of its launcher.
    static let extensionOutput = FuzzTarget(
        name: "extension-output",
        words: [
            "\n", "\r\n", "<4>", "2026-01-31T12:00:00+0000 info label: ", "Fatal error: ", "\u{1B}[2J", "confined 7",
            String(repeating: "x", count: 300),
        ],
        outcomes: ["nothing", "info", "error", "warning"]
    ) { bytes in
        var output = OutputLines()
        var outcome = "nothing"
        let text = String(decoding: bytes, as: UTF8.self)
        if let message = LauncherMessage(text) { _ = message.line }
        let middle = bytes.count / 2
        for piece in [bytes[..<middle], bytes[middle...]] {
            let lines = piece.withUnsafeBytes { output.append($0) }
            for line in lines + [output.finish()].compactMap(\.self) {
                try demand(line.bytes.count <= OutputLines.longestLine, "a line of \(line.bytes.count) bytes")
                let message = OutputMessage(line.text)
                outcome = message.level.rawValue
                let isPlain = message.text.unicodeScalars.allSatisfy {
                    $0 == "\t" || $0.properties.generalCategory != .control
                }
                try demand(isPlain, "text no terminal should get")
                _ = CrashBanner.reason(in: message.text)
            }
        }
        return outcome
    }

    /// The head of a request for a file that is being served.
    static let fileRequest = FuzzTarget(
        name: "file-request",
        words: [
            "Range: bytes=", "-", ",", "If-Range: ", "If-None-Match: *", "\r\n", "getcontentFeatures.dlna.org: 1",
            "GET",
        ],
        outcomes: ["200", "206", "416", "304", "400", "405"]
    ) { bytes in
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
        let method = lines.first.flatMap { HTTPRequest.Method(String($0.prefix { $0 != " " })) } ?? .get
        var request = HTTPRequest(method: method, scheme: nil, authority: nil, path: "/x")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            request.headerFields[name] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let size: Int64 = bytes.count % 5 == 0 ? 0 : 1_000
        let facts = OpenedFile.Facts(size: size, modified: 1_700_000_000, tag: "\"1-2-3\"")
        let answer = FileAnswer(to: request, contentType: "audio/mpeg", facts: facts)
        if let body = answer.body {
            try demand(body.lowerBound >= 0 && body.upperBound <= size, "bytes \(body) of \(size)")
            try demand(answer.headers[.contentLength] == "\(body.count)", "another length than \(body.count)")
        }
        return "\(answer.status.code)"
    }
}

/// Files for parsers that can read only files; one process runs a target at a time.
private enum Scratch {
    static let folder = Result {
        let place = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        var template = Array("\(place)/mdhost-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FuzzFailure(description: "no folder: errno \(errno)") }
        let folder = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
        try write(Array("#!/bin/sh\n".utf8), to: folder + "/program")
        chmod(folder + "/program", 0o755)
        return folder
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        let written = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
        try demand(written == bytes.count, "not written: errno \(errno)")
    }

    /// The headers and the table of libraries are at the beginning.
    static func head(of path: String) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        return Array(try file.read(upToCount: 20_000) ?? Data())
    }
}

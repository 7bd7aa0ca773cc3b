import Foundation

/// The subtitle files beside a media file: `Film.srt`, `Film.en.srt`, `Film.de.forced.vtt`.
enum SubtitleFiles {
    /// The highest number of files that are used.
    static let most = 16

    struct Found: Sendable, Hashable {
        var file: URL
        /// The name for people.
        var name: String
        /// `nil` if the name of the file doesn't tell.
        var language: String?
    }

    /// Returns the files in the order of their names.
    static func beside(_ media: URL) -> [Found] {
        let folder = media.deletingLastPathComponent()
        let base = media.deletingPathExtension().lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return among(names, base: base).map { name in
            let (language, label) = description(name, base: base)
            return Found(file: folder.appending(path: name), name: label, language: language)
        }
    }

    /// Returns the names that belong to a media file.
    static func among(_ names: [String], base: String) -> [String] {
        Array(
            names.filter { name in
                name.hasPrefix(base + ".") && ["srt", "vtt"].contains((name as NSString).pathExtension.lowercased())
            }.sorted().prefix(most))
    }

    /// Returns the language of a file, and its name for people.
    static func description(_ name: String, base: String) -> (language: String?, name: String) {
        let parts = (name.dropFirst(base.count) as Substring).split(separator: ".").dropLast().map(String.init)
        let language = parts.first { part in
            let code = part.prefix { $0 != "-" && $0 != "_" }
            return (2...3).contains(code.count) && code.allSatisfy(\.isASCII)
                && Locale.LanguageCode(String(code).lowercased()).isISOLanguage
        }
        let rest = parts.filter { $0 != language }
        let spoken = language.map { tag in
            Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
        }
        let words = [spoken].compactMap(\.self) + rest
        return (
            language.map { $0.replacingOccurrences(of: "_", with: "-") },
            words.isEmpty ? "Subtitles" : words.joined(separator: " ")
        )
    }

    /// Returns the file as WebVTT; blocks.
    ///
    /// - Returns: `nil` if it isn't a readable file with subtitles.
    static func converted(_ file: URL) -> [UInt8]? {
        guard let opened = try? OpenedFile(file), let size = opened.facts?.size, size <= WebVTT.largestFile else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { memory in
                opened.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]), at: Int64(count))
            }
            guard let read, read > 0 else { break }
            count += read
        }
        return WebVTT(Array(bytes.prefix(count)))?.encoded
    }
}

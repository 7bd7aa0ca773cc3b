import Foundation
import HostInterface

/// Replaces personal data with placeholders that preserve relations: an address becomes the same `address-3` everywhere
/// in a bundle.
package struct Redactor {
    /// The texts to hide, longest first: names of devices, the person, the machine and the media.
    private let names: [String]
    private let home: String
    private var numbers: [String: Int] = [:]
    private var counts: [String: Int] = [:]

    /// - Parameters:
    ///   - names: The names to hide. Names shorter than three characters are ignored: they would match inside words.
    ///   - home: The person's home folder, written as `~`.
    package init(names: [String], home: String) {
        self.names = Set(names).filter { $0.count >= 3 }.sorted { ($1.count, $0) < ($0.count, $1) }
        self.home = home
    }

    /// Returns the text with private log values, URLs, paths of the person's files, quotations, addresses, hardware
    /// addresses, identifiers, keys and ``names`` replaced.
    package mutating func redact(_ text: String) -> String {
        var text = PrivateText.hidden(in: text)
        replace(/[a-z][a-z0-9+.\-]*:\/\/[^\s"'<>)]+/.ignoresCase(), in: &text) { Self.kind(ofURL: $0) }
        if home.count > 1 { text = text.replacing(home, with: "~") }
        redactPaths(in: &text)
        redactQuotations(in: &text)
        replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/.ignoresCase(), in: &text) { _ in "id"
        }
        replace(/\b[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}\b/.ignoresCase(), in: &text) { _ in "id"
        }
        replace(/\b[0-9a-f]{16,}\b/.ignoresCase(), in: &text) { _ in "key" }
        replace(/\b(?:[0-9a-f]{2}[:\-]){5}[0-9a-f]{2}\b/.ignoresCase(), in: &text) { _ in "hardware-address" }
        replace(
            /\b(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}){0,7}(?:::)?|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:?){1,7}/
                .ignoresCase(), in: &text
        ) {
            Self.kind(ofIPv6: $0)
        }
        replace(/\b(?:\d{1,3}\.){3}\d{1,3}\b/, in: &text) { Self.kind(ofIPv4: $0) }
        for name in names where text.contains(name) {
            text = text.replacing(name, with: pseudonym("name", name))
        }
        return text
    }

    /// Replaces paths outside of the folders of the system and of this program, to the end of the line or quotation: names
    /// of files have spaces.
    private mutating func redactPaths(in text: inout String) {
        replace(
            /(?:~|\/(?:home|root|Users|media|mnt|srv|net|export|data|run\/media))\/[^"”\n]*/, in: &text
        ) { path in
            let isOwn = ["~/.local/", "~/.config/", "~/.cache/"].contains { path.hasPrefix($0) }
            return isOwn ? nil : "private-path"
        }
    }

    /// Replaces quotations, which contain file names and people's input; names of devices keep their own kind.
    private mutating func redactQuotations(in text: inout String) {
        replace(/“[^”\n]+”/, in: &text) { [names] in
            names.contains(String($0.dropFirst().dropLast())) ? nil : "quotation"
        }
    }

    private mutating func replace(_ pattern: Regex<Substring>, in text: inout String, kind: (String) -> String?) {
        var result = ""
        var rest = text[...]
        while let match = rest.firstMatch(of: pattern) {
            let found = String(match.output)
            result += rest[..<match.range.lowerBound]
            result += kind(found).map { pseudonym($0, found) } ?? found
            rest = rest[match.range.upperBound...]
        }
        text = result + rest
    }

    private mutating func pseudonym(_ kind: String, _ value: String) -> String {
        let key = kind + " " + value.lowercased()
        let number = numbers[key] ?? counts[kind, default: 0] + 1
        if numbers[key] == nil {
            numbers[key] = number
            counts[kind] = number
        }
        return "\(kind)-\(number)"
    }

    /// Returns the scheme and file name extension of a URL, which reveal only the kind of media.
    private static func kind(ofURL text: String) -> String? {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let path = URL(string: text)?.pathExtension ?? ""
        return path.isEmpty || path.count > 5 ? "\(scheme)-url" : "\(scheme)-url-\(path.lowercased())"
    }

    private static func kind(ofIPv4 text: String) -> String? {
        let parts = text.split(separator: ".").compactMap { UInt8($0) }
        guard parts.count == 4 else { return nil }
        switch (parts[0], parts[1]) {
        // These addresses are the same on every network.
        case (0, _), (127, _), (224...255, _): return nil
        case (10, _), (172, 16...31), (192, 168): return "private-address"
        case (169, 254): return "link-local-address"
        default: return "public-address"
        }
    }

    private static func kind(ofIPv6 text: String) -> String? {
        var address = in6_addr()
        guard text.contains("::") || text.split(separator: ":").count == 8, inet_pton(AF_INET6, text, &address) == 1
        else {
            return nil
        }
        let lower = text.lowercased()
        if lower == "::" || lower == "::1" || lower.hasPrefix("ff") { return nil }
        if lower.hasPrefix("fe8") { return "link-local-address" }
        return lower.hasPrefix("fc") || lower.hasPrefix("fd") ? "private-address" : "public-address"
    }
}

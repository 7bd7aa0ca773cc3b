import MediaTypes

/// The formats a renderer says it takes over HTTP.
package struct SinkFormats: Sendable, Hashable {
    /// MIME types without parameters, lower case, in the device's order, each once.
    package let mimeTypes: [String]

    private static let entryLimit = 4096

    /// - Parameter list: The comma-separated `Sink` of `GetProtocolInfo`; commas inside an entry are escaped by a
    ///   backslash. Entries that make no sense and other transports are left out.
    package init(_ list: String) {
        var seen: Set<String> = []
        mimeTypes = Self.split(list).prefix(Self.entryLimit).compactMap { entry in
            guard let info = ProtocolInfo(entry), ["http-get", "*"].contains(info.transport) else { return nil }
            let mimeType = MIMEType.bare(info.contentFormat)
            return seen.insert(mimeType).inserted ? mimeType : nil
        }
    }

    private static func split(_ list: String) -> [String] {
        var entries: [String] = []
        var entry = ""
        var isEscaped = false
        for character in list {
            if isEscaped {
                entry.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "," {
                entries.append(entry)
                entry = ""
            } else {
                entry.append(character)
            }
        }
        return entries + [entry]
    }

    /// The device's support for a format.
    package enum Answer: Sendable, Hashable {
        case listed
        /// The device gives no list, takes anything, or the format is not known well enough to ask.
        case unknown
        /// The device lists formats, but not this one under any of its names.
        case unlisted
    }

    package func answer(for mimeType: String) -> Answer {
        let mimeType = MIMEType.bare(mimeType)
        guard !mimeTypes.isEmpty, !MIMEType.isGeneric(mimeType) else { return .unknown }
        if !MIMEType.aliases(of: mimeType).isDisjoint(with: mimeTypes) { return .listed }
        if mimeTypes.contains("*") || mimeTypes.contains("*/*") || mimeTypes.contains(MIMEType.family(mimeType) + "/*")
        {
            return .unknown
        }
        return .unlisted
    }

    package var takesVideo: Bool { mimeTypes.contains { $0.hasPrefix("video/") } }

    /// Returns a short list for people, such as `audio/mpeg, audio/flac and 7 more`, with formats of the same family
    /// first.
    package func summary(like mimeType: String, limit: Int = 6) -> String {
        let family = MIMEType.family(MIMEType.bare(mimeType))
        let same = mimeTypes.filter { MIMEType.family($0) == family }
        let candidates = same.isEmpty ? mimeTypes : same
        let named = candidates.prefix(limit).joined(separator: ", ")
        return candidates.count > limit ? "\(named) and \(candidates.count - limit) more" : named
    }
}

/// The name of a cached picture: the same for the same picture at the same size, and a plain file name.
struct ArtworkKey: Hashable, Sendable {
    let name: String

    /// - Parameters:
    ///   - owner: Whose picture it is; identifiers of two apps may be the same.
    ///   - id: The picture's own key.
    ///   - width: Pixels, as `height`.
    init(owner: String, id: String, width: Int, height: Int) {
        // FNV-1a twice, from two beginnings: names must be short and stable, nothing rests on their being hard to guess.
        let text = Array("\(owner)\u{0}\(id)\u{0}\(width)\u{0}\(height)".utf8)
        name = [0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142].map { (start: UInt64) in
            let hash = text.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// The choice of cached pictures to remove: the least recently used ones.
struct ArtworkEviction: Sendable {
    struct File: Sendable, Hashable {
        var name: String
        var size: Int
        /// Any clock; later is newer.
        var used: Double
    }

    /// Bytes all of them may take.
    var limit: Int

    /// - Parameter kept: Files that stay, whatever their size.
    func removable(_ files: [File], keeping kept: Set<String>) -> [String] {
        var total = files.reduce(0) { $0 + $1.size }
        var names: [String] = []
        for file in files.sorted(by: { ($0.used, $0.name) < ($1.used, $1.name) }) where total > limit {
            guard !kept.contains(file.name) else { continue }
            names.append(file.name)
            total -= file.size
        }
        return names
    }
}

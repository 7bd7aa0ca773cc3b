import Foundation

/// The dependencies of a program or library for this machine. The file isn't trusted.
///
/// Source: elf(5).
struct ELFObject: Sendable, Hashable {
    private(set) var interpreter: String?
    private(set) var needed: [String] = []
    /// `DT_RUNPATH`, else `DT_RPATH`, `$ORIGIN` not replaced.
    private(set) var searchFolders: [String] = []
    let isLibrary: Bool

    /// Creates an object from a file; `nil` if it isn't a readable 64-bit little-endian ELF file.
    init?(path: String) {
        // A named pipe would block an ordinary open for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let file = Reader(descriptor: descriptor)
        guard let header = file.bytes(at: 0, count: 64), header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else {
            return nil
        }
        isLibrary = header.number(at: 16, size: 2) == 3
        let size = header.number(at: 54, size: 2)
        let count = header.number(at: 56, size: 2)
        guard size >= 56, count <= 256,
            let table = file.bytes(at: header.number(at: 32, size: 8), count: Int(size * count))
        else { return nil }
        let segments = (0..<Int(count)).map { Segment(table, at: $0 * Int(size)) }
        if let segment = segments.first(where: { $0.kind == 3 }) { interpreter = file.string(at: segment.offset) }
        guard let segment = segments.first(where: { $0.kind == 2 }) else { return }
        readNeeds(file, segment, segments.filter { $0.kind == 1 })
    }

    private mutating func readNeeds(_ file: Reader, _ dynamic: Segment, _ loaded: [Segment]) {
        guard dynamic.size <= 1 << 16, let table = file.bytes(at: dynamic.offset, count: Int(dynamic.size)) else {
            return
        }
        let entries = stride(from: 0, to: table.count - 15, by: 16).map {
            (tag: table.number(at: $0, size: 8), value: table.number(at: $0 + 8, size: 8))
        }
        // Addresses in memory; the segments map them to offsets in the file.
        guard let address = entries.first(where: { $0.tag == 5 })?.value,
            let segment = loaded.first(where: { $0.address <= address && address - $0.address < $0.size })
        else { return }
        let strings = segment.offset &+ (address - segment.address)
        func text(_ tag: UInt64) -> [String] {
            entries.lazy.filter { $0.tag == tag }.prefix(256).compactMap { file.string(at: strings &+ $0.value) }
        }
        needed = text(1)
        searchFolders = (text(29).first ?? text(15).first ?? "").split(separator: ":").map(String.init)
    }

    private struct Segment {
        let kind, offset, address, size: UInt64

        init(_ table: [UInt8], at start: Int) {
            kind = table.number(at: start, size: 4)
            offset = table.number(at: start + 8, size: 8)
            address = table.number(at: start + 16, size: 8)
            size = table.number(at: start + 32, size: 8)
        }
    }

    private struct Reader {
        let descriptor: Int32

        /// `nil` unless there are as many.
        func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
            let bytes = some(at: offset, count: count)
            return bytes.count == count ? bytes : nil
        }

        /// Returns a string that ends with a zero byte.
        func string(at offset: UInt64) -> String? {
            for count in [128, 4096] {
                let bytes = some(at: offset, count: count)
                guard let end = bytes.firstIndex(of: 0) else { continue }
                return String(validating: bytes[..<end], as: UTF8.self)
            }
            return nil
        }

        private func some(at offset: UInt64, count: Int) -> [UInt8] {
            guard let offset = Int(exactly: offset) else { return [] }
            var bytes = [UInt8](repeating: 0, count: count)
            let read = pread(descriptor, &bytes, count, off_t(offset))
            return Array(bytes.prefix(max(0, read)))
        }
    }
}

extension [UInt8] {
    /// Little-endian; the caller has checked that there are as many bytes.
    fileprivate func number(at start: Int, size: Int) -> UInt64 {
        self[start..<start + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

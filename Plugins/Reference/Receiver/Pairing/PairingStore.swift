import Foundation
import Glibc

/// The file, with mode 0600, in which a receiver stores its identity and pairings between runs.
struct PairingStore: Sendable {
    struct Memory: Codable, Sendable, Hashable {
        var id: String
        var tokens: [String] = []
        /// The port of the last run. The receiver uses it again, so that clients find it there.
        var port: Int?
    }

    let file: String

    /// Returns the stored data, or a new identity if there is none that can be read.
    func load() -> Memory {
        guard let data = FileManager.default.contents(atPath: file), data.count < 1 << 20,
            let memory = try? JSONDecoder().decode(Memory.self, from: data), UUID(uuidString: memory.id) != nil
        else { return Memory(id: UUID().uuidString) }
        return memory
    }

    /// Writes all data atomically.
    ///
    /// - Throws: An error of Foundation, with its path.
    func save(_ memory: Memory) throws {
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let new = "\(file).\(getpid())"
        guard
            FileManager.default.createFile(
                atPath: new, contents: try JSONEncoder().encode(memory), attributes: [.posixPermissions: 0o600]),
            rename(new, file) == 0
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file]) }
    }
}

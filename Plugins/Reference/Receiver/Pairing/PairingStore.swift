import Foundation
import Glibc

/// What a receiver remembers between its runs: who it is and whom it is paired with. A file of mode 0600.
struct PairingStore: Sendable {
    struct Memory: Codable, Sendable, Hashable {
        var id: String
        var tokens: [String] = []
        /// Where it listened last: who remembers the receiver finds it there again.
        var port: Int?
    }

    let file: String

    /// What is remembered; a new identity where there is nothing, or nothing that can be read.
    func load() -> Memory {
        guard let data = FileManager.default.contents(atPath: file), data.count < 1 << 20,
            let memory = try? JSONDecoder().decode(Memory.self, from: data), UUID(uuidString: memory.id) != nil
        else { return Memory(id: UUID().uuidString) }
        return memory
    }

    /// Writes all of it in one step.
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

import Crypto
import Foundation
package import HostInterface

/// Returns the keys that hold at this moment.
package typealias ProviderKeySource = @Sendable () throws(HostError) -> [ProviderKey]

/// A key servers sign with, as the gateway knows it.
package struct ProviderKey: Codable, Sendable, Hashable, Identifiable {
    /// `kid` of its tokens: ten letters and digits.
    package let id: String
    /// `iss` of its tokens: ten letters and digits.
    package let team: String
    /// PEM.
    package let publicKey: String
    /// Seconds since 1970.
    package let created: Int64
}

/// The files of a gateway: the keys for servers to sign with, and the authority of its certificate.
///
/// Only the owner has access to the folder with `keys.json` and `ca.pem`. `AuthKey_<id>.p8` is for the server, and you
/// can move it there.
package struct GatewayKeys: Sendable {
    package let folder: String

    /// - Parameter folder: There, mode 0700.
    package init(folder: String) { self.folder = folder }

    /// - Throws: ``HostError`` `storage-failed`.
    package func all() throws(HostError) -> [ProviderKey] {
        let path = folder + "/keys.json"
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            return try JSONDecoder().decode([ProviderKey].self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw HostError(.storageFailed, "\(path) cannot be read: \(FailureReason.text(of: error))")
        }
    }

    /// Returns the path of a key's private half.
    package func privateKeyPath(_ id: String) -> String { folder + "/AuthKey_\(id).p8" }

    /// Creates a key. Its private half is a file for the server, in the format that providers read.
    ///
    /// - Throws: ``HostError`` `storage-failed`.
    package func make(now: Int64) throws(HostError) -> ProviderKey {
        let existing = try all()
        let key = P256.Signing.PrivateKey()
        let new = ProviderKey(
            id: Self.identifier(), team: existing.first?.team ?? Self.identifier(),
            publicKey: key.publicKey.pemRepresentation, created: now)
        try PrivateFile.write(Data((key.pemRepresentation + "\n").utf8), to: privateKeyPath(new.id))
        try store(existing + [new])
        return new
    }

    /// Removes a key and its file. Tokens signed with it are refused afterwards.
    ///
    /// - Throws: ``HostError`` `invalid-argument` for an unknown key, or `storage-failed`.
    package func remove(_ id: String) throws(HostError) {
        let keys = try all()
        guard keys.contains(where: { $0.id == id }) else {
            throw HostError(.invalidArgument, "There is no key “\(id)”: `mdhost push keys` lists them.")
        }
        try store(keys.filter { $0.id != id })
        try? FileManager.default.removeItem(atPath: privateKeyPath(id))
    }

    private func store(_ keys: [ProviderKey]) throws(HostError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        do {
            try PrivateFile.write(encoder.encode(keys), to: folder + "/keys.json")
        } catch {
            throw error as? HostError
                ?? HostError(.storageFailed, "The keys cannot be stored: \(FailureReason.text(of: error))")
        }
    }

    private static func identifier() -> String {
        String((0..<10).map { _ in "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".randomElement() ?? "A" })
    }
}

/// Files that only their owner can read.
enum PrivateFile {
    /// All or nothing.
    ///
    /// - Throws: ``HostError`` `storage-failed`.
    static func write(_ data: Data, to path: String) throws(HostError) {
        let new = path + ".new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw HostError(.storageFailed, "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
        } catch {
            throw HostError(.storageFailed, "\(path) cannot be written: \(FailureReason.text(of: error))")
        }
        guard rename(new, path) == 0 else {
            throw HostError(.storageFailed, "\(path) cannot be replaced: \(String(cString: strerror(errno))).")
        }
    }
}

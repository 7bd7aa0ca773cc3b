import Foundation

/// A folder that goes away with the test.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "/mdhost-files-" + UUID().uuidString

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], to name: String) throws -> URL {
        let url = URL(fileURLWithPath: path + "/" + name)
        try Data(bytes).write(to: url)
        return url
    }

    /// A file of zeros that takes no room.
    func sparse(_ size: Int, name: String) throws -> URL {
        let url = try write([], to: name)
        guard truncate(url.path, off_t(size)) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return url
    }
}

import Foundation
import Testing

/// The recorded and made-up documents beside the tests.
enum Fixtures {
    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// Paths below the folder, e.g. `rygel/GetVolume.xml`, sorted.
    static func paths(under subfolder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: subfolder).path).sorted()
            .map { "\(subfolder)/\($0)" }
    }

    private static var folder: URL { Bundle.module.resourceURL!.appending(path: "Fixtures") }
}

import Foundation

extension FuzzTarget {
    /// This repository.
    static let repository = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// Absolute paths of the existing folders with inputs.
    var corpusFolders: [String] {
        (corpora + ["Tests/FuzzTests/Corpus/\(name)"]).map { Self.repository.appending(path: $0).path }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// Every input there is, in the same order every time.
    func corpus() throws -> [[UInt8]] {
        let files = try corpusFolders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }
        }
        return try files.map { Array(try Data(contentsOf: URL(filePath: $0))) } + seeds()
    }
}

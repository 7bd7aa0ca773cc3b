import Foundation
import Testing

@testable import mdhost

@Suite struct LogRotationTests {
    private let folder: String
    private var path: String { folder + "/daemon.log" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-log-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private func write(_ text: String, to descriptor: Int32) {
        _ = text.withCString { Foundation.write(descriptor, $0, text.utf8.count) }
    }

    @Test func aLargeFileIsKeptOnceAndBegunAnew() {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer {
            close(descriptor)
            try? FileManager.default.removeItem(atPath: folder)
        }
        let rotation = LogRotation(path: path, limit: 10, descriptors: [descriptor])
        for line in ["first line\n", "second line\n", "third line\n"] {
            rotation.rotateIfNeeded()
            write(line, to: descriptor)
        }
        #expect(text(path) == "third line\n")
        #expect(text(path + ".1") == "second line\n")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func whatIsNotTheLogStaysAsItIs() throws {
        let other = open(folder + "/other", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer {
            close(other)
            try? FileManager.default.removeItem(atPath: folder)
        }
        try Data("the log\n".utf8).write(to: URL(filePath: path))
        write("more than ten bytes\n", to: other)
        LogRotation(path: path, limit: 10, descriptors: [other]).rotateIfNeeded()
        #expect(text(path) == "the log\n" && text(path + ".1") == nil)
        #expect(text(folder + "/other") == "more than ten bytes\n")
    }
}

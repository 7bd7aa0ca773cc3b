import Foundation
import Testing

@testable import HostDoctor

/// A report that is written to a folder where others write, such as `/tmp`.
@Suite(.timeLimit(.minutes(1))) struct ReportBundleTests {
    @Test func aLinkThatWaitsForTheReportIsNotFollowed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (path, diary) = (folder + "/report.tar.gz", folder + "/diary")
        try Data("mine".utf8).write(to: URL(filePath: diary))
        for link in [path, path + ".part"] { symlink(diary, link) }
        var bundle = ReportBundle(redactor: Redactor(names: [], home: "/root"))
        bundle.add("text", as: "daemon.log")
        try bundle.write(to: path)
        #expect(try String(contentsOfFile: diary, encoding: .utf8) == "mine")
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o777 == 0o600)
        #expect(try Data(contentsOf: URL(filePath: path)).prefix(2) == Data([0x1F, 0x8B]))
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == [
                "diary", "report.tar.gz", "report.tar.gz.part",
            ])
    }
}

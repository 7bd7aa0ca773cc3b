import DBus
import Foundation
import HostInterface
import Testing

@Suite struct FailureReasonTests {
    @Test func errorsOfOursAreTheirSentence() {
        let error = HostError(.storageFailed, "The disk is full.")
        #expect("\(error)" == "The disk is full.")
        #expect("\(error as any Error)" == "The disk is full.")
        #expect(FailureReason.text(of: error) == "The disk is full.")
        #expect(FailureReason.text(of: DBusError(name: "a.b.C", message: "gone")) == "gone")
    }

    @Test func aFullDiskIsSaidInWords() {
        #expect(FailureReason.text(of: CocoaError(.fileWriteOutOfSpace)) == "No space left on device")
        #expect(FailureReason.text(of: POSIXError(.ENOSPC)) == "No space left on device")
        #expect(
            FailureReason.text(of: NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC))) == "No space left on device")
        let error = #expect(throws: (any Error).self) { try Data([1]).write(to: URL(filePath: "/dev/full")) }
        #expect(error.map { FailureReason.text(of: $0) } == "No space left on device")
    }

    @Test func noNameOfATypeIsInIt() {
        let failures: [() throws -> Void] = [
            { _ = try JSONDecoder().decode([String].self, from: Data("{".utf8)) },
            { _ = try JSONDecoder().decode([String].self, from: Data("{}".utf8)) },
            { _ = try Data(contentsOf: URL(filePath: "/nonexistent/file")) },
            { try FileManager.default.createDirectory(atPath: "/proc/x", withIntermediateDirectories: false) },
            { throw CancellationError() },
        ]
        for failure in failures {
            let error = #expect(throws: (any Error).self, performing: failure)
            let text = error.map { FailureReason.text(of: $0) } ?? ""
            #expect(!text.isEmpty && !text.contains("(") && !text.contains("Error"), "\(text)")
        }
    }
}

import Foundation
import HostClient
import HostInterface
import HostPage
import Logging

/// The page in the browser.
@main struct PageProgram {
    static func main() async throws {
        signal(SIGPIPE, SIG_IGN)
        let logger = Logger(label: "mdhost-page") { StreamLogHandler.standardError(label: $0) }
        var files: @Sendable (String) -> PageFile? = { PageFiles.all[$0] }
        #if DEBUG
            if let index = CommandLine.arguments.firstIndex(of: "--files"), index + 1 < CommandLine.arguments.count {
                let folder = CommandLine.arguments[index + 1]
                files = { name in PageFile(readFrom: folder, name) }
            }
        #endif
        let service = try await PageService(
            folder: HostFolders.state() + "/page", files: files, helper: DirectHelper(), logger: logger)
        try await service.start()
        let link = await service.link(picker: nil)
        print(link)
        fflush(nil)
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }
}

struct DirectHelper: PageHelper {
    func connect() async throws(HostError) -> HostClient { try await HostClient.connect() }
    func doctor() async throws(HostError) -> [UInt8] { throw HostError(.notSupported, "No doctor.") }
    func demo() async throws(HostError) { throw HostError(.notSupported, "No demo.") }
}

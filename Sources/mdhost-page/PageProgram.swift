import CDispatchPacing  // for its effect
import CProgramMemory
import Dispatch
import Foundation
import HostClient
import HostInterface
import HostPage
import Logging

/// The page in the browser: a keeper, which starts it confined, and the page itself.
@main struct PageProgram {
    static func main() async {
        // A browser or a device that leaves is an error of a write, not the end.
        signal(SIGPIPE, SIG_IGN)
        // The pages that only the start needs.
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(10)) { program_memory_release() }
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            if words.contains("--serve") {
                try await serve()
            } else if words.contains("--unconfined") {
                try await serveUnconfined(words)
            } else {
                exit(try PageKeeper(readyDescriptor: value("--ready-descriptor", words).flatMap { Int32($0) }).run())
            }
        } catch {
            logger.error("\((error as? HostError)?.message ?? "\(error)")")
            exit(1)
        }
    }

    private static let logger = Logger(label: "mdhost-page") { StreamLogHandler.standardError(label: $0) }

    /// The confined page, started by the keeper.
    private static func serve() async throws {
        let service = try await PageService(
            folder: try HostFolders.page, files: PageFiles.all.file,
            helper: KeeperHelper(descriptor: PageKeeper.Descriptor.keeper), logger: logger)
        try await service.start(controlDescriptor: PageKeeper.Descriptor.control)
        close(PageKeeper.Descriptor.ready)
        await service.run()
    }

    /// The page in this process alone, for work on it: it prints a link.
    private static func serveUnconfined(_ words: [String]) async throws {
        var files: @Sendable (String) -> PageFile? = PageFiles.all.file
        #if DEBUG
            if let folder = value("--files", words) { files = { PageFile(readFrom: folder, $0) } }
        #endif
        let service = try await PageService(
            folder: try HostFolders.page, files: files, helper: DirectHelper(), logger: logger)
        try await service.start()
        try FileHandle.standardOutput.write(contentsOf: Data((await service.link() + "\n").utf8))
        await service.run()
    }

    private static func value(_ option: String, _ words: [String]) -> String? {
        guard let index = words.firstIndex(of: option), index + 1 < words.count else { return nil }
        return words[index + 1]
    }
}

/// What a page without a keeper can do.
private struct DirectHelper: PageHelper {
    func connect() async throws(HostError) -> HostClient { try await HostClient.connect() }
    func doctor() async throws(HostError) -> [UInt8] { throw Self.missing }
    func demo() async throws(HostError) { throw Self.missing }

    private static let missing = HostError(
        .notSupported, "This page was started without its keeper.", remedy: "Start it with `mdhost page`.")
}

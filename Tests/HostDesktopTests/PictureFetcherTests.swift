import Foundation
import HostInterface
import Testing

@testable import HostDesktop

@Suite(.timeLimit(.minutes(1)))
struct PictureFetcherTests {
    private let fetcher = NetworkPictureFetcher()

    @Test(arguments: ["https://example.com/cover.png", "ftp://example.com/cover.png", "cover.png"])
    func whatIsNotFetchedIsRefused(_ url: String) async {
        let error = await #expect(throws: HostError.self) { try await fetcher.fetch(url) }
        #expect(error?.code == .notSupported)
    }

    @Test func filesAreReadAndNothingElse() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a cover.png")
        try Data([1, 2, 3]).write(to: file)
        #expect(try await fetcher.fetch(file.absoluteString) == [1, 2, 3])
        await #expect(throws: HostError.self) { try await fetcher.fetch(folder.absoluteString) }
        await #expect(throws: HostError.self) { try await fetcher.fetch("file:///dev/zero") }
        await #expect(throws: (any Error).self) { try await fetcher.fetch("file:///nowhere/cover.png") }
    }

    @Test(arguments: [
        "http://127.0.0.1:0/a", "http://127.0.0.1:65536/a", "http://127.0.0.1:99999999999/a", "http:///a",
    ])
    func whatNamesNoServerIsRefused(_ url: String) async {
        let error = await #expect(throws: HostError.self) { try await fetcher.fetch(url) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func aServerThatIsNotThereFailsAtOnce() async {
        await #expect(throws: (any Error).self) { try await fetcher.fetch("http://127.0.0.1:1/cover.png") }
    }
}

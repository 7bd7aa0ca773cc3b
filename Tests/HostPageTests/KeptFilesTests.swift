import Foundation
import HostClient
import HostInterface
import Logging
import Testing

@testable import HostPage

/// Tests of the page's stored state, and of its keeper's answers.
@Suite(.timeLimit(.minutes(1))) struct KeptFilesTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-page-\(UUID().uuidString)").path
        try HostFolders.prepare(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func browsersSurviveARestartAndTheirCookiesAreNotInTheFile() async throws {
        try await withFolder { folder in
            let logger = Logger(label: "test")
            let directory = try BrowserDirectory(folder: folder, logger: logger) { _ in }
            let token = await directory.makeToken(role: .control)
            let cookie = try #require(try await directory.enter(token, name: "Firefox", cookie: nil))
            await #expect(throws: HostError.self) { try await directory.enter(token, name: "Firefox", cookie: nil) }
            let path = folder + "/browsers.json"
            #expect(try mode(path) == 0o600)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!text.contains(cookie) && text.contains("Firefox"))

            let next = try BrowserDirectory(folder: folder, logger: logger) { _ in }
            let browser = try #require(await next.browser(cookie: cookie))
            #expect(browser.role == .control)
            // One that is known keeps its cookie; one that gets more rights gets another.
            let same = await next.makeToken(role: .look)
            #expect(try await next.enter(same, name: "Firefox", cookie: cookie) == nil)
            let more = await next.makeToken(role: .administrate)
            #expect(try await next.enter(more, name: "Firefox", cookie: cookie) != nil)
            #expect(await next.browser(cookie: cookie) == nil)
            let rest = await next.browsers
            #expect(rest.count == 1)
            _ = try await next.revoke(try #require(rest.first).id)
            let last = try BrowserDirectory(folder: folder, logger: logger) { _ in }
            #expect(await last.browsers.isEmpty)
        }
    }

    @Test func aRevocationEndsWhatDependsOnItAlone() async throws {
        try await withFolder { folder in
            let directory = try BrowserDirectory(folder: folder, logger: Logger(label: "test")) { _ in }
            for name in ["Firefox", "Chromium"] {
                _ = try await directory.enter(await directory.makeToken(), name: name, cookie: nil)
            }
            let ids = await directory.browsers.map(\.id)
            let others = await directory.revocation(of: ids[1])
            let other = Task {
                for await _ in others {}
                return Task.isCancelled
            }
            let revocation = await directory.revocation(of: ids[0])
            _ = try await directory.revoke(ids[0])
            for await _ in revocation {}
            // It is gone by now, so this one ends at once.
            for await _ in await directory.revocation(of: ids[0]) {}
            other.cancel()
            #expect(await other.value, "it went on until it was cancelled")
        }
    }

    @Test func aFileThatCannotBeReadLetsNobodyIn() async throws {
        try await withFolder { folder in
            try "{".write(toFile: folder + "/browsers.json", atomically: true, encoding: .utf8)
            #expect { try BrowserDirectory(folder: folder, logger: Logger(label: "test")) { _ in } } throws: {
                ($0 as? HostError)?.code == .storageFailed
            }
        }
    }

    @Test func guessesOfTokensAreLimited() async throws {
        try await withFolder { folder in
            let directory = try BrowserDirectory(folder: folder, logger: Logger(label: "test")) { _ in }
            var codes: [HostError.Code] = []
            for _ in 0..<12 {
                do throws(HostError) {
                    _ = try await directory.enter("guess", name: "x", cookie: nil)
                } catch {
                    codes.append(error.code)
                }
            }
            #expect(codes.count == 12 && codes.prefix(10).allSatisfy { $0 == .authorizationFailed })
            #expect(codes.last == .limitExceeded)
        }
    }

    @Test func settingsAreKeptAndDamagedOnesAreNew() async throws {
        try await withFolder { folder in
            var settings = PageSettings()
            settings.isEnabled = true
            settings.port = 9_000
            try settings.save(folder: folder)
            #expect(PageSettings.load(folder: folder) == settings)
            #expect(try mode(folder + "/settings.json") == 0o600)
            for text in ["", "[]", #"{"isEnabled":true,"isInNetwork":true,"port":0,"localName":"x"}"#] {
                try text.write(toFile: folder + "/settings.json", atomically: true, encoding: .utf8)
                #expect(!PageSettings.load(folder: folder).isEnabled)
            }
            #expect(PageSettings().localName != PageSettings().localName)
        }
    }

    @Test func theKeepersAnswersAreReadAsWritten() {
        let error = HostError(.hostUnavailable, "The daemon doesn't answer.", remedy: "Try again.")
        #expect(KeeperAnswer(KeeperAnswer.done.bytes) == .done)
        #expect(KeeperAnswer(KeeperAnswer.failed(error).bytes) == .failed(error))
        #expect(KeeperAnswer(Array("nothing".utf8)) == nil && KeeperAnswer([]) == nil)
    }

    @Test(arguments: [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5) AppleWebKit/605 Version/17.5 Safari/604.1", "Safari on iPhone"),
        ("", "Browser"),
    ])
    func browsersHaveNamesForPeople(agent: String, name: String) { #expect(BrowserName.of(agent) == name) }
}

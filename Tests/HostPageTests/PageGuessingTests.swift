import Foundation
import HostInterface
import Logging
import Testing

@testable import HostPage

/// Guessing the links and codes that let a browser in.
@Suite(.timeLimit(.minutes(1))) struct PageGuessingTests {
    private func directory(_ body: (BrowserDirectory) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await body(BrowserDirectory(folder: folder, logger: logger) { _ in })
    }

    private func failure(_ request: () async throws -> Void) async -> HostError.Code? {
        do {
            try await request()
            return nil
        } catch {
            return (error as? HostError)?.code
        }
    }

    @Test func guessedLinksAreLimitedAndKeepNobodyOut() async throws {
        try await directory { browsers in
            let token = await browsers.makeToken(role: .control)
            var codes: [HostError.Code?] = []
            for number in 0..<200 {
                let guess = String(token.dropLast(3)) + String(100 + number)
                // Some tokens end so.
                guard guess != token else { continue }
                codes.append(await failure { _ = try await browsers.enter(guess, name: "Stranger", cookie: nil) })
            }
            #expect(codes.prefix(10).allSatisfy { $0 == .authorizationFailed })
            #expect(codes.count { $0 == .limitExceeded } >= 180 && !codes.contains(nil))
            #expect(await browsers.browsers.isEmpty)
            // Neither the person with the right link, nor one who accepts a browser, has to wait for the stranger.
            let asked = try await browsers.ask("Phone", from: "10.0.0.7")
            #expect(try await browsers.decide(asked.code, .look) == "Phone")
            #expect(try await browsers.enter(token, name: "Firefox", cookie: nil) != nil)
            #expect(await browsers.browsers.map(\.role) == [.control])
        }
    }

    @Test func guessedCodesAreLimitedForEverybody() async throws {
        try await directory { browsers in
            let asked = try await browsers.ask("Phone", from: "10.0.0.7")
            var codes: [HostError.Code?] = []
            for number in 0..<100 where String(100_000 + number) != asked.code {
                codes.append(await failure { _ = try await browsers.decide(String(100_000 + number), .administrate) })
            }
            #expect(codes.count { $0 == .invalidArgument } <= 12 && codes.last == .limitExceeded)
            #expect(await failure { _ = try await browsers.decide(asked.code, .look) } == .limitExceeded)
        }
    }

    /// A browser that may only look can neither begin a pairing nor answer the question of another.
    @Test func lookingIsNoRightToPair() async throws {
        for command in ["pair", "answer", "cancel-prompt", "route", "pick", "demo"] {
            #expect(PageCommands.all[command]?.role == .control)
        }
        for command in ["allow", "refuse", "invite", "revoke", "forget"] {
            #expect(PageCommands.all[command]?.role == .administrate)
        }
        #expect(PageCommands.all.filter { $0.value.role == .look }.map(\.key) == ["search"])
    }
}

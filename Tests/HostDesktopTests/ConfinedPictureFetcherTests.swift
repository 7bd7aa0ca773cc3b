import AddressPolicy
import Foundation
import HostConfinement
import HostExtensions
import HostInterface
import HostPictures
import Logging
import Testing

/// Pictures by the confined program, with a real server.
@Suite(.timeLimit(.minutes(2)))
struct ConfinedPictureFetcherTests {
    private let fetcher = ConfinedPictureFetcherTests.fetcher()

    private static let programs: String = {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? program
        return URL(filePath: (bundle as NSString).deletingLastPathComponent).path
    }()

    private static func fetcher(program: String = ConfinedPictureFetcher.program) -> ConfinedPictureFetcher {
        ConfinedPictureFetcher(
            launcher: ConfinementLauncher.find(executable: programs + "/mdhost"),
            path: ConfinementLauncher.find(program, executable: programs + "/mdhost"),
            environment: ProcessInfo.processInfo.environment, logger: Logger(label: "pictures"))
    }

    @Test(arguments: ["ftp://example.com/cover.png", "cover.png"])
    func whatIsNotFetchedIsRefused(_ url: String) async {
        let error = await #expect(throws: HostError.self) { try await fetcher.fetch(url, from: .program, fitting: 0) }
        #expect(error?.code == .notSupported)
    }

    @Test func filesAreReadAndNothingElse() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a cover.png")
        try Data([1, 2, 3]).write(to: file)
        #expect(try await fetcher.fetch(file.absoluteString, from: .program, fitting: 0) == [1, 2, 3])
        await #expect(throws: HostError.self) {
            try await fetcher.fetch(folder.absoluteString, from: .program, fitting: 0)
        }
        await #expect(throws: HostError.self) {
            try await fetcher.fetch("file:///dev/zero", from: .program, fitting: 0)
        }
        await #expect(throws: (any Error).self) {
            try await fetcher.fetch("file:///nowhere/cover.png", from: .program, fitting: 0)
        }
    }

    @Test func aPictureComesAndErrorsKeepTheirWords() async throws {
        let here = try #require(NetworkAddress("127.0.0.1"))
        try await PictureServer.with(nil) { open in
            for path in ["/cover.png", "/moved"] {
                for origin in [PictureOrigin.program, .device([here])] {
                    let picture = try await fetcher.fetch(open + path, from: origin, fitting: 0)
                    #expect(picture == PictureServer.picture)
                }
            }
            let failures: [(String, PictureOrigin, HostError.Code)] = [
                ("/none", .program, .unreachableURL), ("/to-a-file", .program, .unreachableURL),
                ("/endless", .program, .unsupportedFormat), ("/cover.png", .device([]), .unreachableURL),
            ]
            for (path, origin, code) in failures {
                let error = await #expect(throws: HostError.self) {
                    try await fetcher.fetch(open + path, from: origin, fitting: 0)
                }
                #expect(error?.code == code && error?.message.isEmpty == false, "\(path): \(String(describing: error))")
            }
        }
        let error = await #expect(throws: HostError.self) {
            try await fetcher.fetch("file:///etc/passwd", from: .device([here]), fitting: 0)
        }
        #expect(error?.code == .notSupported)
    }

    @Test func pixelsOfDamagedPicturesAreAnError() async throws {
        let header: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        for picture in [header, Array("GIF89a".utf8), [0xff, 0xd8, 0xff]] {
            let error = await #expect(throws: HostError.self) { try await fetcher.pixels(of: picture, into: 64) }
            #expect(error?.code == .unsupportedFormat)
        }
    }

    /// More than may run at a time; none is left behind.
    @Test func manyAtOnceAreAllAnswered() async throws {
        try await PictureServer.with(nil) { open in
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<24 {
                    group.addTask { try await fetcher.fetch(open + "/cover.png", from: .program, fitting: 0) }
                }
                for try await picture in group { #expect(picture == PictureServer.picture) }
            }
        }
    }

    /// A program that is taken over, or another one, can't make the daemon wait or read more than it requested.
    @Test(arguments: [("HostileExtension", "ended without an answer"), ("mdhost-nothing", "isn't installed")])
    func anotherProgramIsAnError(program: String, reason: String) async {
        let error = await #expect(throws: HostError.self) {
            try await Self.fetcher(program: program).fetch("http://127.0.0.1:1/cover.png", from: .program, fitting: 0)
        }
        #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
    }

    @Test(arguments: [[], [2], [1], [1, 0x7B]] as [[UInt8]]) func whatIsNoAnswerIsNone(bytes: [UInt8]) {
        #expect(PictureAnswer(bytes) == nil)
    }

    @Test func requestsAndAnswersSurviveTheWay() throws {
        let addresses = ["127.0.0.1", "fd00::1"].compactMap { NetworkAddress($0) }
        for origin in [PictureOrigin.program, .device([]), .device(addresses)] {
            let request = PictureRequest(url: "http://[fd00::1]/a\nb", origin: origin)
            let line = try request.line()
            let read = try #require(PictureRequest(line: line))
            #expect(read == request && read.origin == origin)
        }
        let pixels = PictureRequest(length: 7, side: 64, wantsPixels: true)
        #expect(PictureRequest(line: try pixels.line()) == pixels)
        // Of a daemon of an earlier version, while packages are upgraded.
        let earlier = PictureRequest(line: Array(#"{"url":"","side":64,"length":7}"#.utf8))
        #expect(earlier?.length == 7 && earlier?.wantsPixels != true)
        let long = PictureRequest(url: String(repeating: "x", count: PictureRequest.longest), origin: .program)
        #expect(throws: HostError.self) { try long.line() }
        for answer in [PictureAnswer.picture([1, 2]), .failure(HostError(.timedOut, "Too late."))] {
            #expect(PictureAnswer(answer.bytes) == answer)
        }
    }
}

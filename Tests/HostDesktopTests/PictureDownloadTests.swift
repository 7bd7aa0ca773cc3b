import AddressPolicy
import AsyncHTTPClient
import Foundation
import HostInterface
import HostPictures
import NIOSSL
import PushGateway
import Testing

@testable import PictureDownloads

@Suite(.timeLimit(.minutes(1)))
struct PictureDownloadTests {
    private let fetcher = PictureDownload()

    @Test(arguments: [
        "http://127.0.0.1:0/a", "http://127.0.0.1:65536/a", "http://127.0.0.1:99999999999/a", "http:///a",
    ])
    func whatNamesNoServerIsRefused(_ url: String) async {
        let error = await #expect(throws: HostError.self) { try await fetcher.fetch(url, from: .program) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func aServerThatIsNotThereFailsAtOnce() async {
        let error = await #expect(throws: HostError.self) {
            try await fetcher.fetch("http://127.0.0.1:1/cover.png", from: .program)
        }
        #expect(error?.code == .unreachableURL)
    }

    @Test func serversAreAskedInTheOpenAndByTLS() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let certificates = GatewayCertificates(folder: folder)
        let tls = try certificates.serverConfiguration(names: ["127.0.0.1"]).tls
        try await PictureServer.with(nil) { open in
            for path in ["/cover.png", "/moved"] {
                let picture = try await fetcher.fetch(open + path, from: .program)
                #expect(picture == PictureServer.picture, "\(path)")
            }
            let failures: [(String, HostError.Code)] = [
                ("/none", .unreachableURL), ("/to-a-file", .unreachableURL), ("/endless", .unsupportedFormat),
            ]
            for (path, code) in failures {
                let error = await #expect(throws: HostError.self) {
                    try await fetcher.fetch(open + path, from: .program)
                }
                #expect(error?.code == code, "\(path): \(String(describing: error))")
            }
        }
        try await PictureServer.with(tls) { secure in
            let stranger = await #expect(throws: HostError.self) {
                try await fetcher.fetch(secure + "/cover.png", from: .program)
            }
            #expect(stranger?.code == .unreachableURL, "nobody trusts its authority")
            var configuration = PictureDownload.configuration
            configuration.tlsConfiguration = .makeClientConfiguration()
            configuration.tlsConfiguration?.trustRoots = .file(certificates.authorityPath)
            let trusting = PictureDownload(configuration: configuration)
            let picture = try? await trusting.fetch(secure + "/cover.png", from: .program)
            #expect(picture == PictureServer.picture)
        }
    }

    @Test func aDeviceSendsUsToItsOwnNetworkAlone() async throws {
        let here = try #require(NetworkAddress("127.0.0.1"))
        let elsewhere = try #require(NetworkAddress("10.77.0.9"))
        try await PictureServer.with(nil) { open in
            let picture = try await fetcher.fetch(open + "/cover.png", from: .device([here]))
            #expect(picture == PictureServer.picture)
            for path in ["/cover.png", "/moved"] {
                for origin in [PictureOrigin.device([elsewhere]), .device([])] {
                    let error = await #expect(throws: HostError.self) {
                        try await fetcher.fetch(open + path, from: origin)
                    }
                    #expect(error?.code == .unreachableURL && error?.message.contains("127.0.0.1") == true)
                }
            }
        }
    }
}

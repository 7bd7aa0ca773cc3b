import Confinement
import Foundation
package import HostInterface
package import HostPictures
package import Logging

/// Gets pictures from servers and makes them smaller by a confined program, a process for each picture: what a server sends and
/// what a picture contains is read there and not in the daemon, which sees the bytes of the picture alone. Local files are read
/// here.
package actor ConfinedPictureFetcher: PictureFetcher {
    package static let program = "mdhost-artwork"

    /// Processes at a time.
    private static let most = 4
    /// Requests that wait for one.
    private static let mostWaiting = 64

    private let launcher: String?
    private let path: String?
    private let environment: [String: String]
    private let logger: Logger
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - launcher: The path of the program that confines; without it nothing is fetched.
    ///   - path: The program that fetches.
    ///   - environment: The daemon's, of which little is passed on.
    package init(launcher: String?, path: String?, environment: [String: String], logger: Logger) {
        self.launcher = launcher
        self.path = path
        self.environment = ExtensionEnvironment.ofHelper(environment)
        self.logger = logger
    }

    package func fetch(_ url: String, from origin: PictureOrigin, fitting side: Int) async throws -> [UInt8] {
        guard let parts = URLComponents(string: url) else { throw HostError(.invalidArgument, "The URL isn't valid.") }
        switch parts.scheme?.lowercased() {
        case "file":
            guard origin == .program else {
                throw HostError(.notSupported, "A device can't name files of this computer.")
            }
            return try await fit(try LocalPicture.read(URL(filePath: parts.path)), into: side)
        case "http", "https": return try await ask(PictureRequest(url: url, origin: origin, side: side), [])
        default: throw HostError(.notSupported, "Pictures are fetched from files and by http and https only.")
        }
    }

    package func fit(_ picture: [UInt8], into side: Int) async throws -> [UInt8] {
        guard side > 0, !picture.isEmpty, launcher != nil, path != nil else { return picture }
        return try await ask(PictureRequest(length: picture.count, side: side), picture)
    }

    package func pixels(of picture: [UInt8], into side: Int) async throws -> PixelPicture {
        let request = PictureRequest(length: picture.count, side: side, wantsPixels: true)
        guard let pixels = PixelPicture(portablePixmap: try await ask(request, picture)) else {
            throw HostError(.commandFailed, "The program that gets pictures answered with something else.")
        }
        return pixels
    }

    private func ask(_ request: PictureRequest, _ picture: [UInt8]) async throws(HostError) -> [UInt8] {
        guard let launcher, let path else {
            throw HostError(.notSupported, "\(Self.program), which gets pictures, isn't installed beside mdhost.")
        }
        guard picture.count <= PictureLimits.size else {
            throw HostError(.unsupportedFormat, "The picture exceeds 16 MB.")
        }
        let line = try request.line()
        try await enter()
        defer { leave() }
        let outcome: PictureProcess.Outcome
        do {
            let process = try await PictureProcess.start(
                launcher: launcher, arguments: ConfinementPolicy.helper(path).arguments + ["--", path],
                environment: environment)
            outcome = await process.exchange(line + picture, longest: PictureAnswer.longest)
        } catch {
            throw HostError(.commandFailed, "Pictures can't be had: \(error.reason).")
        }
        switch outcome.answer.count > PictureAnswer.longest ? nil : PictureAnswer(outcome.answer) {
        case .picture(let picture): return picture
        case .failure(let error): throw error
        case nil:
            let reason = outcome.failure ?? (outcome.isLate ? "it took too long" : "it ended without an answer")
            logger.warning(
                "A picture can't be had", metadata: ["reason": "\(reason)", "output": "\(outcome.output)"])
            throw HostError(.commandFailed, "The program that gets pictures failed: \(reason).")
        }
    }

    // MARK: The number of processes

    private func enter() async throws(HostError) {
        guard running >= Self.most else { return running += 1 }
        guard waiting.count < Self.mostWaiting else {
            throw HostError(.notSupported, "Too many pictures are requested.")
        }
        // Takes over the place of the one that wakes it.
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    }
}

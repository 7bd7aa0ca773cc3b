import AddressPolicy
import Foundation
import HostBus
package import HostCore
package import HostInterface
package import HostPictures
package import Logging
import PrivateFolders

/// The cache of pictures as files, which desktops require. It is the only user of its folder.
package actor ArtworkCache: ArtworkFiles {
    /// The size in pixels that players of the desktop request.
    package static let desktopSize = 512.0

    private let folder: String
    private let eviction: ArtworkEviction
    private let nowPlaying: NowPlaying
    private let fetcher: any PictureFetcher
    private let logger: Logger
    /// Files that players show now.
    private var shown: [String: String] = [:]
    private var pending: [ArtworkKey: Task<String, any Error>] = [:]
    /// Pictures their owner could not give; another key is another picture, and another item asks again.
    private var failed: Set<Failure> = []

    private struct Failure: Hashable {
        var key: ArtworkKey
        /// The item that showed the picture.
        var item: String
    }

    /// - Parameters:
    ///   - folder: Made when the first picture comes.
    ///   - limit: Bytes all pictures may take.
    package init(
        folder: String, limit: Int = 64 << 20, nowPlaying: NowPlaying, fetcher: any PictureFetcher, logger: Logger
    ) {
        self.folder = folder
        eviction = ArtworkEviction(limit: limit)
        self.nowPlaying = nowPlaying
        self.fetcher = fetcher
        self.logger = logger
    }

    package func picture(
        of session: NowPlayingSession, width: Double, height: Double
    ) async throws -> (path: String, mediaType: String) {
        let path = try await file(of: session, width: width, height: height)
        let mediaType = Self.format(of: path)?.mediaType ?? "application/octet-stream"
        return (path, mediaType)
    }

    package func pixels(of session: NowPlayingSession, side: Int) async throws -> PixelPicture {
        // The file that players of the desktop show, too.
        let path = try await file(of: session, width: Self.desktopSize, height: Self.desktopSize)
        return try await fetcher.pixels(of: try LocalPicture.read(URL(filePath: path)), into: side)
    }

    /// Returns the URL of a session's picture for the desktop; `nil` if there is none.
    ///
    /// The file remains at least until the session shows another one.
    func desktopURL(of session: NowPlayingSession) async -> String? {
        do {
            let path = try await file(of: session, width: Self.desktopSize, height: Self.desktopSize)
            shown[session.id] = (path as NSString).lastPathComponent
            return URL(filePath: path).absoluteString
        } catch {
            guard (error as? HostError)?.code != .notSupported else { return nil }
            logger.info("A picture cannot be had", metadata: ["session": "\(session.name)", "reason": "\(error)"])
            return nil
        }
    }

    func forget(_ session: String) { shown[session] = nil }

    private func file(of session: NowPlayingSession, width: Double, height: Double) async throws -> String {
        guard let item = session.state.content, let id = item.artworkID else {
            throw HostError(.notSupported, "It has no picture.")
        }
        let sides = [width, height].map { Int(min(8192, max(0, $0.isNaN ? 0 : $0))) }
        let side = sides.max() ?? 0
        let key = ArtworkKey(owner: session.application, id: id, width: sides[0], height: sides[1])
        if let path = cached(key) { return path }
        let failure = Failure(key: key, item: item.id)
        guard !failed.contains(failure) else { throw HostError(.notSupported, "The picture could not be had before.") }
        let origin: PictureOrigin =
            if let places = session.artworkEndpoints {
                .device(places.compactMap(EndpointText.numericAddress).compactMap { NetworkAddress($0) })
            } else { .program }
        let task =
            pending[key]
            ?? Task {
                let bytes =
                    if let url = item.artworkURL {
                        try await fetcher.fetch(url, from: origin, fitting: side)
                    } else {
                        // An app may answer with a greater one.
                        try await fetcher.fit(
                            try await nowPlaying.artwork(
                                id, session: session.id, width: Double(sides[0]), height: Double(sides[1])), into: side)
                    }
                return try store(bytes, key)
            }
        pending[key] = task
        defer { pending[key] = nil }
        do {
            return try await task.value
        } catch {
            if failed.count >= 1024 { failed = [] }
            failed.insert(failure)
            throw error
        }
    }

    // MARK: The folder

    private func cached(_ key: ArtworkKey) -> String? {
        for format in ImageFormat.allCases {
            let path = "\(folder)/\(key.name).\(format.fileExtension)"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            // When it was used last.
            utimes(path, nil)
            return path
        }
        return nil
    }

    private func store(_ bytes: [UInt8], _ key: ArtworkKey) throws -> String {
        guard let format = ImageFormat(sniffing: bytes), bytes.count <= PictureLimits.size else {
            throw HostError(.unsupportedFormat, "The picture has an unknown format or is too large.")
        }
        try PrivateFolder.make(folder)
        let name = "\(key.name).\(format.fileExtension)"
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"), options: .atomic)
        evict(keeping: name)
        return "\(folder)/\(name)"
    }

    private func evict(keeping name: String) {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
        let known = names.compactMap { name -> ArtworkEviction.File? in
            guard let attributes = try? files.attributesOfItem(atPath: "\(folder)/\(name)") else { return nil }
            return ArtworkEviction.File(
                name: name, size: (attributes[.size] as? Int) ?? 0,
                used: (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)
        }
        for name in eviction.removable(known, keeping: Set(shown.values).union([name])) {
            try? files.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private static func format(of path: String) -> ImageFormat? {
        ImageFormat.allCases.first { path.hasSuffix("." + $0.fileExtension) }
    }
}

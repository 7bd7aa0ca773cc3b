package import Foundation
package import HostCore
package import HostInterface
import HostSockets
package import Logging
import MediaTypes
import NIOPosix

/// Serves local files to the devices they are meant for.
///
/// Listens only while a file is on offer, only on the local addresses that reach the devices concerned, and answers
/// everybody else as if nothing were there.
package actor HummingbirdFileServer: MediaFileServer {
    private struct Offer {
        let local: NumericAddress
        let media: SharedMedia
    }

    /// A listener that runs or is about to.
    private struct Place {
        let start: Task<Result<FileListener, HostError>, Never>
        var tokens: Set<String> = []
    }

    private let ports: FilePorts
    private let logger: Logger
    private var offers: [String: Offer] = [:]
    private var places: [NumericAddress: Place] = [:]

    package init(ports: FilePorts = .any, logger: Logger) {
        self.ports = ports
        self.logger = logger
    }

    package func serve(_ file: URL, to deviceAddresses: [String]) async throws -> ServedFile {
        let opened = try OpenedFile(file)
        var served = try await offer(
            .file(opened), name: opened.name, contentType: MediaType.of(opened.name), to: deviceAddresses)
        let subtitles = await subtitles(beside: file, to: deviceAddresses)
        if !subtitles.isEmpty { served.subtitles = subtitles }
        return served
    }

    /// Serves the subtitles beside a media file. Any that can't be served is missing: the media plays without it.
    private func subtitles(beside file: URL, to deviceAddresses: [String]) async -> [ServedSubtitles] {
        var served: [ServedSubtitles] = []
        for found in await Self.blocking({ SubtitleFiles.beside(file) }) {
            guard let content = await Self.subtitles(found.file) else { continue }
            let name = found.file.deletingPathExtension().lastPathComponent + ".vtt"
            guard
                let offered = try? await offer(content, name: name, contentType: "text/vtt", to: deviceAddresses)
            else { continue }
            served.append(
                ServedSubtitles(
                    id: offered.id, url: offered.url, source: found.file, name: found.name, language: found.language))
        }
        return served
    }

    /// Reads subtitles; `nil` if the file has none.
    private static func subtitles(_ file: URL) async -> SharedMedia.Content? {
        await blocking {
            guard let bytes = SubtitleFiles.converted(file) else { return nil }
            let tag = "\"vtt-\(bytes.count)-\(file.lastPathComponent.utf8.count)\""
            return .bytes(bytes, OpenedFile.Facts(size: Int64(bytes.count), modified: Int(time(nil)), tag: tag))
        }
    }

    /// Runs something that waits for a disk, which no thread of the concurrency pool should.
    private static func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        do { return try await NIOThreadPool.singleton.runIfActive(body) } catch { return body() }
    }

    package func serve(
        _ stream: OpenStream, as format: DeviceDescription.LiveFormat, to deviceAddresses: [String]
    ) async throws -> ServedFile {
        let feed = try StreamFeed(stream, as: format)
        do {
            let type = try await feed.begin()
            let name = "stream" + (MediaType.suffix(of: type).map { "." + $0 } ?? "")
            return try await offer(.stream(feed), name: name, contentType: type, to: deviceAddresses)
        } catch {
            feed.end()
            throw error
        }
    }

    private func offer(
        _ content: SharedMedia.Content, name: String, contentType: String, to deviceAddresses: [String]
    ) async throws -> ServedFile {
        let devices = deviceAddresses.compactMap { NumericAddress($0) }
        guard !devices.isEmpty else {
            throw HostError(.invalidArgument, "The device has no numeric address to serve “\(name)” to.")
        }
        // A link-local URL lacks the scope the device would need, so that is the last resort.
        let others = devices.filter { !$0.isThisMachine }
        let preferred =
            others.filter { !$0.isLinkLocal } + others.filter(\.isLinkLocal) + devices.filter(\.isThisMachine)
        guard let local = preferred.lazy.compactMap(\.reachedFrom).first else {
            throw HostError(
                .unreachable, "No network of this machine leads to \(deviceAddresses.joined(separator: ", ")).")
        }
        let token = Self.makeToken()
        let listener = try await listener(on: local, for: token)
        let shared = SharedMedia(content, contentType: contentType, to: Self.readers(devices, at: local))
        listener.offer(shared, token: token)
        offers[token] = Offer(local: local, media: shared)
        let path = "/\(token)/\(Self.percentEncoded(name))"
        guard let url = URL(string: "http://\(local.urlHost):\(listener.port)\(path)") else {
            await withdraw(token)
            throw HostError(.internalFailure, "“\(name)” makes no URL.")
        }
        logger.info(
            "serving \(PrivateText.marked(name)) to \(deviceAddresses.joined(separator: ", ")) from port \(listener.port)"
        )
        return ServedFile(id: token, url: url, contentType: contentType)
    }

    package func resume(_ file: ServedFile, of source: URL, to deviceAddresses: [String]) async throws {
        let opened = try OpenedFile(source)
        let host = (file.url.host() ?? "").trimmingCharacters(in: ["[", "]"])
        guard let local = NumericAddress(host), let port = file.url.port, offers[file.id] == nil else {
            throw HostError(.invalidArgument, "“\(opened.name)” was not served by this host.")
        }
        let listener = try await listener(on: local, for: file.id, port: port)
        guard listener.port == port else {
            await leave(local, file.id)
            throw HostError(
                .hostUnavailable, "“\(opened.name)” was served from port \(port), which is now in use.")
        }
        let readers = Self.readers(deviceAddresses.compactMap { NumericAddress($0) }, at: local)
        func offer(_ content: SharedMedia.Content, _ type: String, token: String) {
            let shared = SharedMedia(content, contentType: type, to: readers)
            listener.offer(shared, token: token)
            offers[token] = Offer(local: local, media: shared)
        }
        offer(.file(opened), MediaType.of(opened.name), token: file.id)
        for subtitles in file.subtitles ?? [] {
            guard let content = await Self.subtitles(subtitles.source), places[local] != nil else { continue }
            places[local]?.tokens.insert(subtitles.id)
            offer(content, "text/vtt", token: subtitles.id)
        }
        logger.info(
            "serving \(PrivateText.marked(opened.name)) again to \(deviceAddresses.joined(separator: ", ")) from port \(port)"
        )
    }

    package func admit(_ deviceAddresses: [String], to file: ServedFile) {
        for token in file.tokens { offers[token]?.media.admit(deviceAddresses.compactMap { NumericAddress($0) }) }
    }

    package func withdraw(_ file: ServedFile) async {
        for token in file.tokens { await withdraw(token) }
    }

    /// Returns a Boolean value that indicates whether a device has requested the file. No request within seconds of the
    /// start suggests a firewall.
    package func wasFetched(_ file: ServedFile) -> Bool {
        offers[file.id]?.media.wasFetched ?? false
    }

    /// The number of responses in progress.
    package var transferCount: Int { offers.values.reduce(0) { $0 + $1.media.transferCount } }

    /// Stops listening, so that another process can use the ports. Open connections continue.
    package func makeWay() async {
        for place in places.values {
            if case .success(let listener) = await place.start.value { await listener.makeWay() }
        }
    }

    /// Returns when all connections are over, after ``makeWay()``; idle ones are closed within half a minute.
    package func finished() async {
        for place in places.values {
            if case .success(let listener) = await place.start.value { await listener.finished() }
        }
    }

    /// Withdraws all files.
    package func stop() async {
        for token in Array(offers.keys) { await withdraw(token) }
    }

    private func withdraw(_ token: String) async {
        guard let offer = offers.removeValue(forKey: token) else { return }
        offer.media.withdraw()
        await leave(offer.local, token)
    }

    /// - Parameter port: The port to listen on if there is no listener yet; `nil` for any that ``FilePorts`` allows.
    private func listener(
        on local: NumericAddress, for token: String, port: Int? = nil
    ) async throws(HostError) -> FileListener {
        if places[local] == nil {
            let ports = port.map { FilePorts(port: $0) } ?? ports
            places[local] = Place(
                start: Task { [logger] in
                    do throws(HostError) {
                        return .success(try await FileListener.start(on: local, ports: ports, logger: logger))
                    } catch {
                        return .failure(error)
                    }
                })
        }
        places[local]?.tokens.insert(token)
        guard let result = await places[local]?.start.value else {
            throw HostError(.cancelled, "The file was withdrawn.")
        }
        do {
            return try result.get()
        } catch {
            await leave(local, token)
            throw error
        }
    }

    /// Removes a token from its listener, and closes a listener without tokens.
    private func leave(_ local: NumericAddress, _ token: String) async {
        guard var place = places[local], place.tokens.remove(token) != nil else { return }
        places[local] = place.tokens.isEmpty ? nil : place
        guard case .success(let listener) = await place.start.value else { return }
        listener.withdraw(token: token)
        if place.tokens.isEmpty { await listener.stop() }
    }

    /// Returns the addresses that may read a file served at `local`. Connections from this machine come from `local`
    /// itself.
    private static func readers(_ devices: [NumericAddress], at local: NumericAddress) -> Set<NumericAddress> {
        Set(devices.contains(where: \.isThisMachine) ? devices + [local] : devices)
    }

    /// 128 bits of the system's randomness, as 32 hexadecimal digits.
    private static func makeToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Returns the name with all but the unreserved characters of RFC 3986 encoded, because some devices decode no
    /// others.
    private static func percentEncoded(_ name: String) -> String {
        name.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}

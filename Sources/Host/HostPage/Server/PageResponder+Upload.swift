import Foundation
import Glibc
import HTTPTypes
import HostClient
import HostInterface
import HummingbirdCore
import NIOCore
import NIOPosix
import Synchronization

/// Counts uploads, because each holds a connection for as long as it plays.
final class UploadSlots: Sendable {
    private static let most = 4
    private let used = Mutex(0)

    func take() -> Bool {
        used.withLock { used in
            guard used < Self.most else { return false }
            used += 1
            return true
        }
    }

    func free() { used.withLock { $0 -= 1 } }
}

extension PageResponder {
    /// Plays the body of a request on a device, as fast as the device takes it; nothing is stored.
    ///
    /// - Returns: The response, and whether the body was read to its end.
    func upload(_ request: Request, from browser: PageBrowser) async -> (PageResponse, isRead: Bool) {
        guard uploads.take() else {
            return (.error(HostError(.limitExceeded, "Too many files are being played from browsers.")), false)
        }
        defer { uploads.free() }
        do throws(HostError) {
            let device = try CommandArguments.devicePath(Self.query(request, "device"))
            let name = String(Self.query(request, "name").prefix(200))
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw HostError(.limitExceeded, "This computer is short of descriptors.") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            let (read, write) = (ends[0], ends[1])
            var media = MediaInformation()
            media.title = name.isEmpty ? nil : URL(filePath: name).deletingPathExtension().lastPathComponent
            let type = request.headers[.contentType] ?? ""
            if type.hasPrefix("audio/") || type.hasPrefix("video/") { media.contentType = type }
            return try await play(request, from: browser, on: device, media, read: read, write: write)
        } catch {
            return (.error(error), false)
        }
    }

    private static func query(_ request: Request, _ key: Substring) -> String {
        request.uri.queryParameters[key].map(String.init) ?? ""
    }

    private func play(
        _ request: Request, from browser: PageBrowser, on device: String, _ media: MediaInformation, read: Int32,
        write: Int32
    ) async throws(HostError) -> (PageResponse, isRead: Bool) {
        // The daemon reads the beginning before it answers, so both go on at once.
        let revocation = await commands.browsers.revocation(of: browser.id)
        async let feeding = Self.feed(request.body, into: write, until: revocation)
        let path: Result<String, HostError>
        do throws(HostError) {
            path = .success(
                try await commands.link.with { client throws(HostError) in
                    try await client.play(stream: read, samples: nil, on: device, media: media)
                })
        } catch {
            path = .failure(error)
        }
        // With the last reader gone, feeding ends.
        close(read)
        let isRead = await feeding
        return (.json(PageCommands.session(try path.get(), isComplete: isRead)), isRead)
    }

    /// Writes the body into a pipe, and closes it. A revocation ends it also while nobody reads, as in a pause.
    ///
    /// - Returns: Whether all of it was written; not if the reader closed its end, or the browser left or was revoked.
    private static func feed(
        _ body: RequestBody, into descriptor: Int32, until revocation: AsyncStream<Never>
    ) async -> Bool {
        await withTaskGroup { group in
            group.addTask { await feed(body, into: descriptor) }
            group.addTask {
                for await _ in revocation {}
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private static func feed(_ body: RequestBody, into descriptor: Int32) async -> Bool {
        do {
            let channel = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .takingOwnershipOfDescriptor(output: descriptor) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<Never, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            return try await channel.executeThenClose { _, outbound in
                // Waits while the pipe is full, and so the browser waits as well.
                for try await part in body { try await outbound.write(part) }
                return true
            }
        } catch {
            return false
        }
    }
}

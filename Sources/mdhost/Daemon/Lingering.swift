import Foundation
import HostClient
import HostCore
import HostFiles
import HostInterface
import Logging

/// The remaining work of a daemon that handed over to another: it serves files to the end for devices that are reading
/// them, unless the playback ends before. New connections go to the new daemon at the same address.
struct Lingering {
    /// After which a device that still reads has to ask again.
    private static let limit = Duration.seconds(6 * 3600)
    /// From one attempt to reach the other daemon to the next.
    private static let pause = Duration.seconds(1)

    let files: HummingbirdFileServer
    /// The files served from here, by session.
    let served: [String: ServedFile]
    let socket: String
    let logger: Logger

    /// Frees the ports, so that the next daemon can listen there.
    func makeWay() async { await files.makeWay() }

    /// Returns at once if no device is reading.
    func run() async {
        let count = await files.transferCount
        guard count > 0 else { return await files.stop() }
        logger.notice("Devices read on from this process until they are done", metadata: ["transfers": "\(count)"])
        // The signals have no handler any more, and were ignored until now.
        for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
        await withTaskGroup { group in
            group.addTask { await files.finished() }
            group.addTask { await withdrawWhatIsOver() }
            group.addTask { try? await Task.sleep(for: Self.limit) }
            _ = await group.next()
            group.cancelAll()
            await files.stop()
        }
    }

    private func withdrawWhatIsOver() async {
        var rest = served
        while !rest.isEmpty, !Task.isCancelled {
            if let client = try? await HostClient.connect(to: socket, launching: false) {
                if let events = try? await client.events() { await follow(events, &rest) }
                await client.close()
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Follows events until the other daemon is gone, or all playback has ended.
    private func follow(_ events: some AsyncSequence<HostEvent, Never>, _ rest: inout [String: ServedFile]) async {
        var live: Set<String> = []
        var isComplete = false
        for await event in events {
            switch event {
            case .session(let session) where !session.isOver: live.insert(session.id)
            case .session(let session), .sessionRemoved(let session): live.remove(session.id)
            case .ready: isComplete = true
            default: continue
            }
            guard isComplete else { continue }
            for (session, file) in rest where !live.contains(session) {
                rest[session] = nil
                await files.withdraw(file)
            }
            if rest.isEmpty { return }
        }
    }
}

import Foundation

@testable import Avahi

/// The avahi-daemon of the system bus.
enum RunningDaemon {
    struct Failure: Error { let message: String }

    private static let check = Task<Bool, Never> {
        guard let client = try? AvahiClient(),
            let stream = try? await client.browse(type: "_mdhost-probe._tcp", resolving: false)
        else { return false }
        var isThere = false
        for await event in stream {
            if case .settled = event { isThere = true }
            break
        }
        await client.close()
        return isThere
    }

    /// A Boolean value that indicates whether the daemon answers a browse.
    static var isThere: Bool { get async { await check.value } }

    static func kill() throws {
        let text = try String(contentsOfFile: "/run/avahi-daemon/pid", encoding: .utf8)
        guard let identifier = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Failure(message: "no process identifier: \(text)")
        }
        Foundation.kill(identifier, SIGKILL)
    }

    /// Starts a new one, which detaches itself once it serves.
    static func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/avahi-daemon")
        process.arguments = ["-D", "--no-rlimits"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(message: "avahi-daemon did not start") }
    }
}

/// `avahi-publish` with one service, until stopped.
final class Publisher: Sendable {
    private let process: Process

    /// - Parameter survives: `true` to wait for a new daemon instead of ending with the old one.
    init(name: String, type: String, port: UInt16, txt: [String], survives: Bool = false) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/avahi-publish")
        process.arguments = (survives ? ["-f"] : []) + ["-s", name, type, String(port)] + txt
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func stop() {
        guard process.isRunning else { return }
        // Not SIGTERM: a child of a Dispatch thread inherits its mask, which blocks that.
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// Reads a browse event by event.
struct EventReader {
    struct Ended: Error {}
    private var iterator: AsyncStream<AvahiEvent>.Iterator

    init(_ stream: AsyncStream<AvahiEvent>) { iterator = stream.makeAsyncIterator() }

    mutating func next() async throws -> AvahiEvent {
        guard let event = await iterator.next(isolation: #isolation) else { throw Ended() }
        return event
    }

    /// The first event `select` makes something of.
    mutating func first<Result>(_ select: (AvahiEvent) -> Result?) async throws -> Result {
        while true {
            if let result = select(try await next()) { return result }
        }
    }
}

import Confinement
import Foundation
import HostCore
package import HostInterface
package import Logging
package import MediaReading
import PacketSockets

/// Starts a confined program for each medium that an extension has read: the content is decoded there, neither in the
/// extension nor in the daemon.
package actor ConfinedMediaReaders: MediaReaders {
    package static let program = "mdhost-reader"

    /// Processes at a time.
    private static let most = 64
    private static let mostOfAnExtension = 16

    private let launcher: String?
    private let path: String?
    private let environment: [String: String]
    private let logger: Logger
    private var running: [String: Int] = [:]

    /// - Parameters:
    ///   - launcher: The path of the program that confines; without it nothing is read.
    ///   - path: The program that reads.
    ///   - environment: The daemon's, of which little is passed on.
    package init(launcher: String?, path: String?, environment: [String: String], logger: Logger) {
        self.launcher = launcher
        self.path = path
        self.environment = ExtensionEnvironment.ofHelper(environment)
        self.logger = logger
    }

    package func start(_ request: ReaderRequest, on socket: ReaderSocket, for identifier: String) async {
        do throws(SpawnedChild.Failure) {
            try await launch(request, socket, identifier)
        } catch {
            logger.error(
                "Media can't be read", metadata: ["extension": "\(identifier)", "reason": "\(error.reason)"])
            let failure = ReaderPacket.failure(.unreadable(error.reason), generation: 0)
            PacketSocket.send(failure.bytes, on: socket.number, waits: false)
        }
    }

    private func launch(
        _ request: ReaderRequest, _ socket: ReaderSocket, _ identifier: String
    ) async throws(SpawnedChild.Failure) {
        guard let launcher, let path else {
            throw SpawnedChild.Failure(reason: "\(Self.program), which decodes media, isn't installed beside mdhost")
        }
        guard let bytes = request.bytes else { throw SpawnedChild.Failure(reason: "the address is too long") }
        guard running[identifier, default: 0] < Self.mostOfAnExtension,
            running.values.reduce(0, +) < Self.most
        else { throw SpawnedChild.Failure(reason: "too much media is read at the same time") }
        running[identifier, default: 0] += 1
        do throws(SpawnedChild.Failure) {
            let arguments = ConfinementPolicy.helper(path).arguments + ["--", path]
            let process = try await ReaderProcess.start(launcher, arguments: arguments, environment: environment)
            try process.serve(bytes, on: socket.number) { [weak self] outcome in
                // Queues of messages may hold copies of the descriptor, with which the extension would wait for ever.
                shutdown(socket.number, Int32(SHUT_RDWR))
                Task { await self?.ended(identifier, outcome) }
            }
        } catch {
            release(identifier)
            throw error
        }
    }

    private func ended(_ identifier: String, _ outcome: ReaderProcess.Outcome) {
        release(identifier)
        guard let reason = outcome.failure else { return }
        logger.warning(
            "The program that reads media failed",
            metadata: ["extension": "\(identifier)", "reason": "\(reason)", "output": "\(outcome.output)"])
    }

    private func release(_ identifier: String) {
        guard let count = running[identifier] else { return }
        running[identifier] = count > 1 ? count - 1 : nil
    }
}

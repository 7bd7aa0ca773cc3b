import HostClient
import HostInterface
import Logging
import PushGateway

/// Passes pushes to the daemon of this user, which is started if needed.
///
/// The connection is closed after an idle time, so that the daemon may exit.
actor HostDelivery: PushDelivery {
    private static let patience = Duration.seconds(30)

    private let logger: Logger
    private var client: HostClient?
    private let connecting = SharedAttempt<HostClient>()
    private var idle: Task<Void, Never>?
    private var told: Set<String> = []

    init(logger: Logger) { self.logger = logger }

    func deliver(_ push: PushRequest) async throws -> PushOutcome {
        let first = await attempt(push)
        guard case .failure(let error) = first, error.code == .hostUnavailable || error.code == .internalFailure else {
            return try first.get()
        }
        // The daemon was exiting, or was replaced; the pushes it has stored are not applied twice.
        client = nil
        return try await attempt(push).get()
    }

    func close() async {
        idle?.cancel()
        await client?.close()
        client = nil
    }

    private func attempt(_ push: PushRequest) async -> Result<PushOutcome, HostError> {
        do throws(HostError) {
            let outcome = try await connected().deliverPush(
                token: push.token, topic: push.topic, identifier: push.identifier, payload: push.payload)
            stayAWhile()
            return .success(outcome)
        } catch {
            return .failure(error)
        }
    }

    private func connected() async throws(HostError) -> HostClient {
        if let client { return client }
        return try await connecting.value { try await self.connect() }
    }

    private func connect() async throws -> HostClient {
        let client = try await HostClient.connect()
        let events = try await client.events()
        self.client = client
        Task {
            for await event in events {
                if case .nowPlaying(let nowPlaying) = event { tell(nowPlaying.pushFailures) }
            }
            if self.client === client { self.client = nil }
        }
        return client
    }

    /// A push is answered when it is kept; that it could not be applied shows afterwards.
    private func tell(_ failures: [PushFailure]) {
        let known = told
        told = Set(failures.map(\.identifier))
        for failure in failures where !known.contains(failure.identifier) {
            logger.error(
                "A push could not be applied",
                metadata: [
                    "apns-id": "\(failure.identifier)", "app": "\(failure.application)", "reason": "\(failure.message)",
                ])
        }
    }

    private func stayAWhile() {
        idle?.cancel()
        idle = Task {
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            await close()
        }
    }
}

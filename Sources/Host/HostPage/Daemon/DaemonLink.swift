import DBus
import HostClient
import HostDoctor
import HostInterface
package import Logging

/// Owns the connection to the daemon. There is one only while a page is open or a command runs.
package actor DaemonLink {
    /// How long a connection that nobody needs is kept, for a page that is reloaded.
    private static let linger = Duration.seconds(5)
    /// How long a command waits for the daemon.
    private static let patience = Duration.seconds(12)
    private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(300), .seconds(1), .seconds(3)]

    private let helper: any PageHelper
    private let hub: PageHub
    private let logger: Logger
    private var needs = 0
    private var prompters = 0
    private var client: HostClient?
    private var agent: PairingAgent?
    private var isAgentRegistered = false
    private var running: Task<Void, Never>?
    private var leaving: Task<Void, Never>?
    private var waiting: [Int: CheckedContinuation<Result<HostClient, HostError>, Never>] = [:]
    private var lastWaiting = 0
    private var refreshing: Task<Void, Never>?
    private var failure: HostError?
    /// The devices that were examined, with the availability for which they were.
    private var examined: [String: String] = [:]
    private var examining = 0
    private static let mostExamined = 8

    package init(helper: any PageHelper, hub: PageHub, logger: Logger) {
        self.helper = helper
        self.hub = hub
        self.logger = logger
    }

    /// Keeps the connection until ``release(answersPrompts:)``.
    ///
    /// - Parameter answersPrompts: Whether a person is there who may answer pairing prompts.
    func retain(answersPrompts: Bool) async {
        needs += 1
        if answersPrompts { prompters += 1 }
        leaving?.cancel()
        leaving = nil
        if running == nil { running = Task { await self.run() } }
        await registerAgent()
    }

    func release(answersPrompts: Bool) async {
        needs -= 1
        if answersPrompts { prompters -= 1 }
        await registerAgent()
        guard needs == 0 else { return }
        leaving?.cancel()
        leaving = Task {
            guard (try? await Task.sleep(for: Self.linger)) != nil else { return }
            await self.leave()
        }
    }

    /// Runs `body` with the connection.
    ///
    /// - Throws: ``HostError`` of `body`, or `host-unavailable`.
    func with<Value: Sendable>(
        _ body: @Sendable (HostClient) async throws(HostError) -> Value
    ) async throws(HostError) -> Value {
        await retain(answersPrompts: false)
        let result: Result<Value, HostError>
        do throws(HostError) {
            result = .success(try await body(try await connected()))
        } catch {
            result = .failure(error)
        }
        await release(answersPrompts: false)
        return try result.get()
    }

    private func connected() async throws(HostError) -> HostClient {
        if let client { return client }
        lastWaiting += 1
        let number = lastWaiting
        let timer = Task {
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            self.giveUp(number)
        }
        defer { timer.cancel() }
        return try await withCheckedContinuation { waiting[number] = $0 }.get()
    }

    private func giveUp(_ number: Int) {
        let error = failure ?? HostError(.hostUnavailable, "The daemon doesn't answer.")
        waiting.removeValue(forKey: number)?.resume(returning: .failure(error))
    }

    private func leave() async {
        guard needs == 0 else { return }
        await client?.close()
        running?.cancel()
    }

    // MARK: The connection

    private func run() async {
        var attempt = 0
        while needs > 0 {
            do throws(HostError) {
                let client = try await helper.connect()
                attempt = 0
                failure = nil
                try await serve(client)
                await client.close()
            } catch {
                if failure?.message != error.message { logger.warning("\(error.message)") }
                failure = error
            }
            client = nil
            agent = nil
            isAgentRegistered = false
            examined = [:]
            refreshing?.cancel()
            await hub.end()
            guard needs > 0 else { break }
            try? await Task.sleep(for: Self.pauses[min(attempt, Self.pauses.count - 1)])
            attempt += 1
        }
        running = nil
        // Somebody may have come in the meantime.
        if needs > 0 { running = Task { await self.run() } }
    }

    /// Shows what the daemon reports until the connection ends.
    private func serve(_ client: HostClient) async throws(HostError) {
        let agent = try await PairingAgent(exportedOn: client, answering: HubPrompts(hub: hub))
        let events = try await client.events()
        await hub.begin()
        self.client = client
        self.agent = agent
        await registerAgent()
        // Ends with the connection.
        _ = try await client.takeLease()
        let following = await followApplications(client)
        defer { following?.cancel() }
        var isReady = false
        for await event in events {
            if event == .ready {
                isReady = true
                await refresh(client)
                for (_, continuation) in waiting { continuation.resume(returning: .success(client)) }
                waiting = [:]
            }
            await hub.apply(event)
            if isReady { noteChange(event, client) }
        }
    }

    private func registerAgent() async {
        guard let agent, (prompters > 0) != isAgentRegistered else { return }
        isAgentRegistered = prompters > 0
        do throws(HostError) {
            if isAgentRegistered { try await agent.register() } else { try await agent.unregister() }
        } catch {
            logger.debug("\(error.message)")
        }
    }

    private func followApplications(_ client: HostClient) async -> Task<Void, Never>? {
        let signals = try? await client.connection.signals(
            path: HostNames.rootPath, interface: HostNames.managerInterface, member: "ApplicationsChanged")
        guard let signals else { return nil }
        return Task {
            for await _ in signals { await self.refresh(client) }
        }
    }

    // MARK: What the daemon doesn't announce

    /// Reads what has no signals of its own again, a moment after something changed that it depends on.
    private func noteChange(_ event: HostEvent, _ client: HostClient) {
        switch event {
        case .device, .deviceRemoved, .session, .sessionRemoved, .mediaSession, .mediaSessionRemoved, .extension,
            .manager:
            guard refreshing == nil else { return }
            refreshing = Task {
                guard (try? await Task.sleep(for: .milliseconds(300))) != nil else { return }
                await self.refreshScheduled(client)
            }
        default: break
        }
    }

    private func refreshScheduled(_ client: HostClient) async {
        refreshing = nil
        await refresh(client)
        await examine()
    }

    /// Finds out why devices aren't ready, as the doctor does; a few at a time, each once for a state.
    private func examine() async {
        let view = await hub.state.view
        // Not while the list is incomplete: most become ready within a second.
        guard view.manager?.isSettled == true else { return }
        let extensions = Array(view.extensions.values)
        for device in view.sortedDevices {
            guard ["remembered", "unreachable"].contains(device.availability) else {
                examined[device.id] = nil
                continue
            }
            guard examined[device.id] != device.availability, examining < Self.mostExamined else { continue }
            examined[device.id] = device.availability
            examining += 1
            Task {
                let finding = Diagnosis.finding(of: await DeviceFacts(device, extensions))
                await self.hub.update { state in
                    state.set(finding.map { PageFinding(message: $0.message, remedy: $0.remedy) }, of: device.id)
                }
                await self.examinedOne()
            }
        }
    }

    private func examinedOne() async {
        examining -= 1
        if examining == 0 { await examine() }
    }

    /// Reads sinks, the broker's status and the registered apps.
    func refresh(_ client: HostClient) async {
        let sinks = try? await client.sinks()
        let broker = try? await client.brokerStatus()
        let applications = try? await client.applications()
        await hub.update { state in
            if let sinks {
                state.replace(
                    .sinks,
                    with: Dictionary(sinks.map { ($0.id, PageJSON.text($0)) }, uniquingKeysWith: { first, _ in first }))
            }
            if let broker { state.set(.push, PageJSON.text(broker)) }
            if let applications {
                state.set(.applications, PageJSON.text(applications.map(ApplicationPart.init)))
                let routes = applications.reduce(into: [String: [String]]()) { routes, application in
                    guard let device = application.device.map(HostNames.deviceIdentifier) else { return }
                    routes[device, default: []].append(application.identifier)
                }
                state.replace(.routes, with: routes.mapValues { PageJSON.text($0) })
            }
        }
    }
}

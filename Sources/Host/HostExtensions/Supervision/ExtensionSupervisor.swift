package import DBus
import Foundation
package import HostCore
package import HostInterface
import LinkProtocol
package import Logging

/// Keeps the installed extensions running while they are needed.
///
/// ``events`` reports what happens, in one order. Requests arrive as needs (``acquire(_:reason:)``) and calls
/// (``perform(_:on:)``). The rules are those of ``ExtensionLifecycle``.
package actor ExtensionSupervisor: ExtensionRunner, RemoteSessionRunner {
    package struct Configuration: Sendable {
        /// The host's name as devices may show it.
        package var hostName: String
        /// Each extension gets a folder of its own in it, named by its identifier.
        package var stateFolder: String
        /// The host's environment, of which extensions inherit a short list.
        package var environment: [String: String]
        /// Added to every child's environment.
        package var additionalEnvironment: [String: String] = [:]
        /// See ``ConfinementLauncher``; without it no extension starts.
        package var launcher: String?
        package var disabled: Set<String> = []
        /// The folders to search now; empty leaves manifests as they are.
        package var folders: @Sendable () -> [ExtensionCatalog.Folder] = { [] }
        /// The limits of each extension's log.
        var logLimits = LogRing.Limits()
        package var policy = ExtensionLifecycle.Policy()
        package var timing = ExtensionProcess.Timing()
        package var clock = SupervisionClock.continuous
        /// The supervisor's loop. If it is the host's, calls reach extensions without a change of thread.
        package var loop = DBusLoop(label: "org.mdhost.supervisor")

        package init(hostName: String, stateFolder: String, environment: [String: String]) {
            self.hostName = hostName
            self.stateFolder = stateFolder
            self.environment = environment
        }
    }

    /// The events, for one reader, which has to read continuously.
    package nonisolated var events: Batches<SupervisedEvent> { queue.stream }
    let queue = ExtensionEventQueue()
    let logs: ExtensionLogs

    let configuration: Configuration
    let logger: Logger
    private nonisolated let loop: DBusLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    var entries: [String: Entry] = [:]
    var catalog = ExtensionCatalog(manifests: [])
    /// Switched off, installed or not.
    var disabled: Set<String>
    /// The last generations of extensions that are no longer installed.
    var lastGenerations: [String: Int] = [:]
    private var leaving: [ObjectIdentifier: Task<Void, Never>] = [:]
    var saidWhatIsNotConfined = false
    var following: Task<Void, Never>?
    var isShutDown = false

    struct Entry {
        var manifest: ExtensionManifest
        var lifecycle: ExtensionLifecycle
        /// A Boolean value that indicates whether more than discovery needs it.
        var isInUse = false
        var process: ExtensionProcess?
        var processID: Int32?
        /// The confinement of the latest process that sent a greeting.
        var confinement: [String] = []
        var lastError: HostError?
        var lastExit: String?
        var hello: LinkGreeting?
        /// The end of a crash's back-off, and the same by `CLOCK_MONOTONIC`.
        var retry: (at: ExtensionLifecycle.Instant, monotonic: Double)?
        var timer: Task<Void, any Error>?
        /// Callers that wait for the process to be ready.
        var waiters: [CheckedContinuation<Result<ExtensionProcess, HostError>, Never>] = []
        /// Callers that wait until no process is about to come or to go.
        var observers: [CheckedContinuation<Void, Never>] = []
        var reported: ExtensionStatus?
    }

    package init(_ configuration: Configuration, catalog: ExtensionCatalog, logger: Logger) {
        self.configuration = configuration
        loop = configuration.loop
        self.logger = logger
        self.catalog = catalog
        logs = ExtensionLogs(limits: configuration.logLimits)
        disabled = configuration.disabled
        for manifest in catalog.manifests {
            entries[manifest.identifier] = Entry(
                manifest: manifest,
                lifecycle: ExtensionLifecycle(
                    policy: configuration.policy, isEnabled: !configuration.disabled.contains(manifest.identifier)))
        }
    }

    /// Notes that something needs the extension, and launches it if it does not run; counted per reason.
    ///
    /// Unknown identifiers are ignored: an extension may go between a person's choice and its use.
    package func acquire(_ identifier: String, reason: String) {
        guard !isShutDown else { return }
        change(identifier) { $0.add(reason, at: $1) }
    }

    /// Removes one need. Unknown ones are ignored.
    package func release(_ identifier: String, reason: String) {
        change(identifier) { lifecycle, now in
            lifecycle.remove(reason, at: now)
            return nil
        }
    }

    /// Ends every process, and returns when all are gone. The supervisor starts none afterwards.
    package func stopAll() async {
        isShutDown = true
        following?.cancel()
        for identifier in entries.keys {
            change(identifier) { lifecycle, _ in lifecycle.setEnabled(false) }
        }
        let processes = entries.values.compactMap(\.process)
        await withTaskGroup(of: Void.self) { group in
            for process in processes { group.addTask { _ = await process.stop() } }
            for task in leaving.values { group.addTask { await task.value } }
        }
        queue.finish()
    }
}

extension ExtensionSupervisor {
    /// Changes the lifecycle, and performs the resulting action.
    func change(
        _ identifier: String,
        _ body: (inout ExtensionLifecycle, ContinuousClock.Instant) -> ExtensionLifecycle.Action?
    ) {
        guard var entry = entries[identifier] else { return }
        let action = body(&entry.lifecycle, configuration.clock.now())
        schedule(&entry)
        let isInUse = entry.lifecycle.needs.keys.contains { $0 != MediaHost.discoveryReason }
        if let process = entry.process, isInUse != entry.isInUse { Task { await process.setInUse(isInUse) } }
        entry.isInUse = isInUse
        let observers = entry.lifecycle.isChanging ? [] : entry.observers
        if !entry.lifecycle.isChanging { entry.observers = [] }
        switch action {
        case .launch(let generation):
            let process = makeProcess(entry.manifest, generation: generation, isInUse: isInUse)
            entry.process = process
            entries[identifier] = entry
            remark(.notice, "launched", identifier, generation)
            Task { await run(process, identifier: identifier, generation: generation) }
        case .terminate:
            entries[identifier] = entry
            if let process = entry.process { Task { await process.stop() } }
        case nil:
            entries[identifier] = entry
        }
        report(identifier)
        observers.forEach { $0.resume() }
    }

    private func schedule(_ entry: inout Entry) {
        entry.timer?.cancel()
        entry.timer = nil
        note(retryOf: &entry)
        guard let deadline = entry.lifecycle.deadline else { return }
        let identifier = entry.manifest.identifier
        entry.timer = Task { [weak self, clock = configuration.clock] in
            try await clock.sleep(deadline)
            try Task.checkCancellation()
            await self?.change(identifier) { $0.tick(at: $1) }
        }
    }

    private func makeProcess(
        _ manifest: ExtensionManifest, generation: Int, isInUse: Bool
    ) -> ExtensionProcess {
        var launch = ExtensionProcess.Launch(
            manifest: manifest, generation: generation, hostName: configuration.hostName,
            stateDirectory: configuration.stateFolder + "/" + manifest.identifier,
            environment: configuration.environment)
        launch.additionalEnvironment = configuration.additionalEnvironment
        launch.launcher = configuration.launcher
        launch.isInUse = isInUse
        launch.additionalEnvironment[ExtensionOrphans.variable] = ExtensionOrphans.mark
        let identifier = manifest.identifier
        launch.output = { [logs] message in logs.append(message, to: identifier, generation: generation) }
        let receiver = LinkReceiver(
            greeted: { [queue] _ in
                queue.push(SupervisedEvent(identifier: identifier, generation: generation, event: .started))
            },
            message: { [queue] message, cost in
                queue.offer(
                    SupervisedEvent(identifier: identifier, generation: generation, event: .message(message)),
                    cost: cost)
            })
        return ExtensionProcess(launch, timing: configuration.timing, logger: logger, receiver: receiver)
    }

    private func run(_ process: ExtensionProcess, identifier: String, generation: Int) async {
        do throws(ExtensionLaunchError) {
            let hello = try await process.start()
            let processID = await process.processID
            noteConfinement(await process.confinement, of: identifier, generation: generation)
            started(process, processID: processID, hello: hello, identifier: identifier, generation: generation)
            let exit = await process.waitForExit()
            ended(exit, identifier: identifier, generation: generation)
        } catch {
            switch error {
            case .ended(let exit): ended(exit, identifier: identifier, generation: generation)
            case .notStarted(let reason): unusable(reason + ".", identifier: identifier, generation: generation)
            case .unusable(let reason): unusable(reason, identifier: identifier, generation: generation)
            }
        }
    }

    private func started(
        _ process: ExtensionProcess, processID: Int32?, hello: LinkGreeting, identifier: String, generation: Int
    ) {
        guard entries[identifier]?.lifecycle.generation == generation else { return }
        if let manifest = entries[identifier]?.manifest, manifest.point == .mediaDevice,
            !manifest.protocols.contains(where: { $0.identifier == hello.protocolIdentifier })
        {
            logger.warning(
                "\(identifier) speaks a protocol its manifest does not declare: \(hello.protocolIdentifier.prefix(200))"
            )
        }
        remark(.notice, "running as process \(processID ?? 0)", identifier, generation)
        entries[identifier]?.processID = processID
        entries[identifier]?.hello = hello
        entries[identifier]?.lastError = nil
        change(identifier) { lifecycle, now in
            lifecycle.started(generation: generation, at: now)
            return nil
        }
        let waiters = entries[identifier]?.waiters ?? []
        entries[identifier]?.waiters = []
        waiters.forEach { $0.resume(returning: .success(process)) }
    }

    private func ended(_ exit: ExtensionExit, identifier: String, generation: Int) {
        guard var entry = entries[identifier], entry.lifecycle.generation == generation else { return }
        entry.process = nil
        entry.processID = nil
        entry.lastExit = exit.clause
        let isClean = exit.status == .exited(0) && exit.hostReason == nil
        // Some end by themselves when they have nothing to do.
        let wasWanted = exit.wasAsked && exit.hostReason == nil || isClean && entry.lifecycle.needs.isEmpty
        remark(wasWanted || isClean ? .notice : .error, exit.clause, identifier, generation)
        let error = HostError(.extensionCrashed, "\(entry.manifest.displayName) \(exit.clause).")
        if !wasWanted && !isClean {
            entry.lastError = error
            logger.error("\(identifier) \(exit.clause)")
        }
        fail(&entry, error)
        entries[identifier] = entry
        push(wasWanted ? .stopped : .crashed(error), identifier, generation)
        change(identifier) { $0.ended(generation: generation, at: $1, isClean: isClean) }
    }

    private func unusable(_ reason: String, identifier: String, generation: Int) {
        guard var entry = entries[identifier], entry.lifecycle.generation == generation else { return }
        let error = HostError(.extensionUnusable, reason)
        entry.process = nil
        entry.processID = nil
        entry.lastError = error
        fail(&entry, error)
        entries[identifier] = entry
        logger.error("\(identifier): \(reason)")
        remark(.error, reason, identifier, generation)
        push(.crashed(error), identifier, generation)
        change(identifier) { lifecycle, _ in
            lifecycle.loadFailed(generation: generation)
            return nil
        }
    }

    func fail(_ entry: inout Entry, _ error: HostError) {
        let waiters = entry.waiters
        entry.waiters = []
        waiters.forEach { $0.resume(returning: .failure(error)) }
    }

    func leave(_ process: ExtensionProcess) {
        let key = ObjectIdentifier(process)
        leaving[key] = Task {
            _ = await process.stop()
            leaving[key] = nil
        }
    }

    /// Puts the host's own remark into the extension's log.
    private func remark(_ level: Logger.Level, _ text: String, _ identifier: String, _ generation: Int) {
        logs.append(OutputMessage(level: level, text: text), to: identifier, generation: generation, isFromHost: true)
    }

    func push(_ event: ExtensionEvent, _ identifier: String, _ generation: Int) {
        queue.push(SupervisedEvent(identifier: identifier, generation: generation, event: event))
    }

    static func unknown(_ identifier: String) -> HostError {
        HostError(.noSuchExtension, "There is no extension “\(identifier)”.")
    }
}

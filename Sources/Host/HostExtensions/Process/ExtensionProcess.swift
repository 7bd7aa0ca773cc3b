package import Confinement
import DBus
import Foundation
import HostConfinement
import HostCore
import HostInterface
package import LinkProtocol
package import Logging
import Synchronization

/// One running process of an extension, from its launch to its end. It owns the child process, its session and the
/// link.
///
/// Call ``start()`` once, then make calls, then call ``stop()``. The link uses a socket pair created here, so its peer
/// is the child or a process that received the descriptor from the child.
package actor ExtensionProcess {
    let launch: Launch
    let timing: Timing
    let usageLimits: ExtensionUsage.Limits
    let logger: Logger
    let connection: DBusConnection
    private let receiver: LinkReceiver
    private let objects: DBusObjectServer

    private(set) var child: SpawnedChild?
    private var link: HostLink?
    private var output: OutputReader?
    var messages: LauncherMessages?
    /// The degree of confinement by the kernel; `nil` before the greeting.
    private(set) package var confinement: ConfinementReport?
    private var isSpawning = false
    private var greeting: Greeting = .none
    private var wasAsked = false
    private var hostReason: String?
    private var exit: ExtensionExit?
    private var exitWaiters: [Int: CheckedContinuation<ExtensionExit?, Never>] = [:]
    private var nextWaiter = 0
    nonisolated let calls = Mutex(CallState())
    /// A Boolean value that indicates whether more than discovery needs the process.
    private(set) var isInUse: Bool
    private var watches: [Task<Void, any Error>] = []

    private enum Greeting {
        case none
        case awaited(CheckedContinuation<Result<LinkGreeting, ExtensionLaunchError>, Never>)
        /// Before anybody waited for it.
        case arrived(Result<LinkGreeting, ExtensionLaunchError>)
        case done
    }

    package init(_ launch: Launch, timing: Timing = Timing(), logger: Logger, receiver: LinkReceiver) {
        self.init(launch, timing: timing, usageLimits: .init(), logger: logger, receiver: receiver)
    }

    init(
        _ launch: Launch, timing: Timing, usageLimits: ExtensionUsage.Limits, logger: Logger, receiver: LinkReceiver
    ) {
        self.launch = launch
        isInUse = launch.isInUse
        self.usageLimits = usageLimits
        self.timing = timing
        var logger = logger
        logger[metadataKey: "extension"] = "\(launch.manifest.identifier)"
        logger[metadataKey: "generation"] = "\(launch.generation)"
        self.logger = logger
        self.receiver = receiver
        let loop = DBusLoop(label: "mdhost.extension.\(launch.manifest.identifier)")
        connection = DBusConnection(loop: loop)
        objects = DBusObjectServer(loop: loop, objectManagerPath: HostNames.hostLinkPath)
    }

    /// `nil` before the launch and after the end.
    package var processID: Int32? { exit == nil ? child?.processID : nil }

    /// Launches the program and waits for its greeting; to be called once.
    ///
    /// - Throws: ``ExtensionLaunchError``; no process is left then.
    package func start() async throws(ExtensionLaunchError) -> LinkGreeting {
        do throws(SpawnedChild.Failure) {
            try await spawn()
        } catch {
            ended(ExtensionExit(status: .exited(127), hostReason: "could not be started", wasAsked: wasAsked))
            messages = nil
            throw notStarted(error.reason)
        }
        let deadline = Task {
            try await waitForGreeting()
            greetingIsOverdue()
        }
        defer { deadline.cancel() }
        let result = await withCheckedContinuation { continuation in
            if case .arrived(let result) = greeting {
                greeting = .done
                continuation.resume(returning: result)
            } else {
                greeting = .awaited(continuation)
            }
        }
        switch result {
        case .success(let hello):
            if case .confined(let report)? = takeMessage() { confinement = report }
            return hello
        case .failure(let error):
            let exit = await waitForExit()
            if case .failed(let reason)? = takeMessage() { throw notStarted(reason) }
            if case .ended = error { throw .ended(exit) }
            throw error
        }
    }

    /// Waits for the end of the process and of everything it started.
    package func waitForExit() async -> ExtensionExit {
        while true {
            if let exit = await exit(within: nil) { return exit }
        }
    }

    /// Asks the process to end by closing the link, then insists: SIGTERM, then SIGKILL, to everything it started.
    package func stop() async -> ExtensionExit {
        wasAsked = true
        closeCalls()
        await connection.close()
        if let exit = await exit(within: timing.farewell) { return exit }
        signal(SIGTERM)
        if let exit = await exit(within: timing.termination) { return exit }
        logger.notice("the extension ignored SIGTERM")
        signal(SIGKILL)
        return await waitForExit()
    }

    /// Ends the process at once.
    ///
    /// - Parameter reason: A clause that follows "because it".
    package func end(because reason: String) {
        // One that ended by itself meanwhile keeps its own reason.
        guard hostReason == nil, child.map({ !$0.hasEnded }) ?? isSpawning else { return }
        hostReason = reason
        closeCalls()
        signal(SIGKILL)
    }

    /// Checks a process that is in use often, and another one seldom: what nobody waits for needs no quick end.
    package func setInUse(_ isInUse: Bool) {
        guard isInUse != self.isInUse else { return }
        self.isInUse = isInUse
        if child != nil { watch() }
    }

    private func watch() {
        for watch in watches { watch.cancel() }
        watches = [watchUsage(), watchAnswers()]
    }

    private func closeCalls() { calls.withLock { $0.isOpen = false } }
}

extension ExtensionProcess {
    private func spawn() async throws(SpawnedChild.Failure) {
        guard let launcher = launch.launcher else {
            throw SpawnedChild.Failure(
                reason: "\(ConfinementLauncher.name), which confines extensions, is not installed beside mdhost")
        }
        try ExtensionEnvironment.prepareStateDirectory(launch.stateDirectory)
        let channels = try ChildChannels()
        messages = LauncherMessages(descriptor: channels.messages)
        let link = HostLink(
            welcome: LinkWelcome(
                generation: launch.generation, name: launch.hostName, stateDirectory: launch.stateDirectory),
            logger: logger, receiver: receiver
        ) { [weak self] report in
            Task { await self?.linkReported(report) }
        }
        self.link = link
        do throws(SpawnedChild.Failure) {
            output = try OutputReader(descriptor: channels.output, logger: logger, keep: launch.output)
        } catch {
            close(channels.link)
            throw error
        }
        do {
            try await connection.openPeer(fileDescriptor: channels.link, role: .server)
            try await objects.add(path: HostNames.hostLinkPath, [(link.interface, [:])])
            try await objects.attach(connection)
        } catch {
            logger.error("the link cannot be opened: \(error.message)")
            await connection.close()
            throw SpawnedChild.Failure(code: EPROTO)
        }
        do throws(SpawnedChild.Failure) {
            guard !wasAsked else { throw SpawnedChild.Failure(code: ECANCELED) }
            let command = ["--", launch.manifest.executablePath]
            let (arguments, environment) = (policy.arguments + command, environment)
            isSpawning = true
            defer { isSpawning = false }
            let child = try await SpawningThread.shared.run {
                [directory = launch.stateDirectory] () throws(SpawnedChild.Failure) in
                try channels.spawn(launcher, arguments: arguments, environment: environment, directory: directory)
            }
            try watch(child)
            self.child = child
            // Decided while it was being started.
            if hostReason != nil { signal(SIGKILL) }
            watchLink()
            watch()
            logger.debug("launched as process \(child.processID)")
        } catch {
            await connection.close()
            throw error
        }
    }

    private func watch(_ child: SpawnedChild) throws(SpawnedChild.Failure) {
        do throws(SpawnedChild.Failure) {
            // Holds itself until the process ends, which it always does.
            _ = try DescriptorWatch(
                child.processDescriptor, label: "mdhost.extension.exit", isOnce: true,
                onReadable: { Task { await self.childEnded(child) } },
                onCancel: { close(child.processDescriptor) })
        } catch {
            kill(-child.processID, SIGKILL)
            waitpid(child.processID, nil, 0)
            close(child.processDescriptor)
            throw error
        }
    }

    /// Ends the process after its link closed, with a delay that lets a process that is already exiting report the
    /// reason.
    private func watchLink() {
        Task { [weak self, connection, timing] in
            await connection.waitUntilClosed()
            guard await !connection.wasMalformed else {
                await self?.linkIsGone(Self.garbage)
                return
            }
            try await Task.sleep(for: timing.farewell)
            await self?.linkIsGone("broke its link")
        }
    }

    private static let garbage = "sent bytes that aren't a message"

    private func linkIsGone(_ reason: String) {
        guard !wasAsked else { return }
        end(because: reason)
    }

    private func childEnded(_ child: SpawnedChild) async {
        // The process is not reaped yet, so its number still belongs to this session and to nobody else.
        ProcessSession(leader: child.processID).end()
        var status: Int32 = 0
        while waitpid(child.processID, &status, 0) < 0, errno == EINTR {}
        self.child = nil
        // What it sent and printed before its end still counts; only descriptors that leaked out of the session can
        // hold these two up.
        _ = await finishes(within: .seconds(1)) { [connection] in await connection.waitUntilClosed() }
        link?.close()
        // It may have ended before it was ended for it.
        if hostReason == nil, !wasAsked, await connection.wasMalformed { hostReason = Self.garbage }
        await connection.close()
        await output?.finish(within: .milliseconds(500))
        ended(ExtensionExit(waitStatus: status, hostReason: hostReason, banner: output?.banner, wasAsked: wasAsked))
    }

    private func ended(_ exit: ExtensionExit) {
        self.exit = exit
        for watch in watches { watch.cancel() }
        closeCalls()
        resolveGreeting(.failure(.ended(exit)))
        let waiters = exitWaiters.values
        exitWaiters = [:]
        waiters.forEach { $0.resume(returning: exit) }
    }

    private func signal(_ number: Int32) {
        guard let child else { return }
        ProcessSession(leader: child.processID).signal(number)
    }

    private func greetingIsOverdue() {
        guard case .awaited = greeting else { return }
        end(because: "sent no greeting within \(timing.greeting)")
    }

    private func linkReported(_ report: HostLink.Report) {
        switch report {
        case .greeted(let hello):
            let isWanted = !wasAsked && hostReason == nil
            calls.withLock { $0.isOpen = isWanted }
            resolveGreeting(.success(hello))
        case .refused(let reason):
            end(because: reason)
            resolveGreeting(.failure(.unusable("\(launch.manifest.displayName) \(reason).")))
        case .overflowed: end(because: "sent messages faster than they could be taken")
        }
    }

    private func resolveGreeting(_ result: Result<LinkGreeting, ExtensionLaunchError>) {
        switch greeting {
        case .none: greeting = .arrived(result)
        case .awaited(let continuation):
            greeting = .done
            continuation.resume(returning: result)
        case .arrived, .done: break
        }
    }

    /// - Returns: `nil` if it still runs after `limit`.
    private func exit(within limit: Duration?) async -> ExtensionExit? {
        if let exit { return exit }
        let waiter = nextWaiter
        nextWaiter += 1
        let timer = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                exitWaiters.removeValue(forKey: waiter)?.resume(returning: nil)
            }
        }
        defer { timer?.cancel() }
        return await withCheckedContinuation { exitWaiters[waiter] = $0 }
    }
}

extension ExtensionProcess {
    package struct Timing: Sendable, Hashable {
        /// The time from the launch to the greeting.
        package var greeting: Duration = .seconds(5)
        /// The time from a call to its answer.
        package var call: Duration = .seconds(5)
        /// The time without any answer to calls after which the process is considered hung and ended.
        package var silence: Duration = .seconds(10)
        /// The time between checks whether the process still answers, while it is in use.
        package var heartbeat: Duration = .seconds(2)
        /// The same while it isn't. Any call, such as with a device that was found, finds out sooner.
        package var idleHeartbeat: Duration = .seconds(300)
        /// The time limit for the answer to such a check.
        package var hang: Duration = .seconds(5)
        /// After which it is looked whether it can answer at all.
        package var doubt: Duration = .seconds(1)
        /// The time from closing the link to SIGTERM.
        package var farewell: Duration = .seconds(2)
        /// The time from SIGTERM to SIGKILL.
        package var termination: Duration = .seconds(1)
        /// The time between checks of the process's resource usage, while it is in use.
        package var usage: Duration = .seconds(5)
        /// The same while it isn't.
        package var idleUsage: Duration = .seconds(15)

        package init() {}
    }

    package struct Launch: Sendable {
        package var manifest: ExtensionManifest
        package var generation: Int
        /// The host's name as devices may show it.
        package var hostName: String
        /// The extension's own folder; made if missing.
        package var stateDirectory: String
        /// The host's environment; only a short list of it is handed on.
        package var environment: [String: String]
        /// Added to the child's environment.
        package var additionalEnvironment: [String: String] = [:]
        /// The program that confines itself and becomes the extension. Without it, nothing is started.
        package var launcher: String?
        /// A Boolean value that indicates whether more than discovery needs it; see ``ExtensionProcess/setInUse(_:)``.
        package var isInUse = true
        /// The closure that receives each line of the program's output.
        var output: @Sendable (OutputMessage) -> Void = { _ in }

        package init(
            manifest: ExtensionManifest, generation: Int, hostName: String, stateDirectory: String,
            environment: [String: String]
        ) {
            self.manifest = manifest
            self.generation = generation
            self.hostName = hostName
            self.stateDirectory = stateDirectory
            self.environment = environment
        }
    }
}

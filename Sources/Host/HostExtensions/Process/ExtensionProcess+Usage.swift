extension ExtensionProcess {
    /// Ends a process that takes too much, for as long as it runs.
    func watchUsage() {
        Task { [weak self, interval = timing.usage] in
            while true {
                try await Task.sleep(for: interval)
                guard let self, await self.checkUsage() else { return }
            }
        }
    }

    /// - Returns: `false` once the process has ended.
    private func checkUsage() async -> Bool {
        guard let process = processID else { return false }
        let (folder, limits, isAlone) = (launch.stateDirectory, usageLimits, !launch.manifest.runsPrograms)
        // A folder full of files takes a while to look through.
        let usage = await Task.detached(priority: .utility) {
            ExtensionUsage.current(process: process, isAlone: isAlone, folder: folder, limits: limits)
        }.value
        if let excess = usage.excess(over: limits) { end(because: excess) }
        return true
    }
}

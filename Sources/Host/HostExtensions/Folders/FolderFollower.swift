import Foundation
import Logging

/// Searches the folders of extensions again after each change, and reports the results.
struct FolderFollower: Sendable {
    let folders: @Sendable () -> [ExtensionCatalog.Folder]
    var policy = ChangeSettling.Policy()
    let logger: Logger

    /// Runs until the task is canceled.
    ///
    /// - Parameters:
    ///   - known: The current catalog.
    ///   - found: The closure that receives each new catalog.
    func run(
        known: @Sendable () async -> ExtensionCatalog, found: @Sendable (ExtensionCatalog) async -> Void
    ) async {
        let watch: FolderWatch
        do {
            watch = try FolderWatch()
        } catch {
            logger.warning("changes of extensions go unnoticed until a reload: \(error.reason)")
            return
        }
        _ = await watch.follow(WatchPlan(folders(), catalog: known()))
        var settling = ChangeSettling(policy: policy)
        // What changed since the catalog was made was not watched yet.
        settling.changed(at: .now)
        var told: [String: String] = [:]
        while !Task.isCancelled {
            if settling.isUnsettled, let deadline = settling.deadline {
                // Not read meanwhile: a flood of changes wakes nobody.
                try? await Task.sleep(until: deadline, clock: .continuous)
            } else if await !watch.waitForEvents(until: settling.deadline) {
                try? await Task.sleep(for: .seconds(10))
            }
            if Task.isCancelled { return }
            let now = ContinuousClock.now
            if await watch.takeEvents() { settling.changed(at: now) }
            guard let deadline = settling.deadline else {
                // Somebody else is busy there: that may go on.
                try? await Task.sleep(for: policy.quiet)
                continue
            }
            guard now >= deadline else { continue }
            let result = await search(&settling, watch: watch, known: await known())
            if let catalog = result.catalog { await found(catalog) }
            for (path, reason) in result.failures where told[path] == nil {
                logger.warning("changes in \(path) go unnoticed: \(reason)")
            }
            told = result.failures
        }
    }

    private func search(
        _ settling: inout ChangeSettling, watch: FolderWatch, known: ExtensionCatalog
    ) async -> (catalog: ExtensionCatalog?, failures: [String: String]) {
        let places = folders()
        let catalog = await ExtensionCatalog.search(places)
        let (isNew, failures) = await watch.follow(WatchPlan(places, catalog: catalog))
        let cautious = catalog.withoutDoubtful(since: known)
        let counts = settling.searched(isDoubtful: cautious != nil, at: .now)
        // What is new to the watch may have changed between the search and the watch.
        if isNew { settling.changed(at: .now) }
        return (counts ? catalog : cautious, failures)
    }
}

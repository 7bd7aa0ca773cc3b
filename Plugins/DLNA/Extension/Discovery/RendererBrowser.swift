import Foundation
import MediaDevice

/// The SSDP searches for renderers: newer versions answer a search for version 1 too, but not all do.
@MainActor
final class RendererBrowser {
    static let searchTargets = (1...3).map { "urn:schemas-upnp-org:device:MediaRenderer:\($0)" }

    private let directory: RendererDirectory
    private let failed: (String) -> Void
    private var browsers: [SSDPBrowser] = []

    /// - Parameter failed: Called with a sentence if the searches can never work.
    init(directory: RendererDirectory, failed: @escaping (String) -> Void) {
        self.directory = directory
        self.failed = failed
    }

    var isRunning: Bool { !browsers.isEmpty }

    func start() {
        guard browsers.isEmpty else { return }
        browsers = Self.searchTargets.map { SSDPBrowser(searchTarget: $0) }
        for (index, browser) in browsers.enumerated() {
            browser.browseResultsChangedHandler = { [weak self] _, changes in
                MainActor.assumeIsolated { self?.handle(changes) }
            }
            browser.stateUpdateHandler = { [weak self] state in
                guard index == 0, case .failed(let error) = state else { return }
                MainActor.assumeIsolated { self?.failed("\(error)") }
            }
            browser.start(queue: .main)
        }
    }

    func stop() {
        for browser in browsers { browser.cancel() }
        browsers = []
        directory.suspend()
    }

    private func handle(_ changes: Set<SSDPBrowser.Result.Change>) {
        for change in changes {
            switch change {
            case .added(let result), .changed(_, let result): announce(result)
            case .removed(let result): directory.withdraw(usn: result.usn)
            }
        }
    }

    private func announce(_ result: SSDPBrowser.Result) {
        guard let location = result.location else { return }
        directory.announce(
            .init(
                usn: result.usn, location: location, bootIdentifier: result.headers["BOOTID.UPNP.ORG"],
                addresses: result.addresses.map { "\($0)" }))
    }
}

import Foundation
import HostClient
import HostInterface
import Logging

/// The page: its server, what it shows, and who may use it.
package actor PageService {
    private let folder: String
    private let hub: PageHub
    private let browsers: BrowserDirectory
    private let server: PageServer
    private var settings: PageSettings
    private var port = 0

    /// - Parameters:
    ///   - folder: Of its settings and browsers; it is made.
    ///   - files: By name; `index.html` is the page itself.
    /// - Throws: ``HostError`` `storage-failed`.
    package init(
        folder: String, files: @escaping @Sendable (String) -> PageFile?, helper: any PageHelper, logger: Logger
    ) async throws(HostError) {
        try HostFolders.prepare(folder)
        self.folder = folder
        settings = PageSettings.load(folder: folder)
        let hub = PageHub()
        self.hub = hub
        browsers = try BrowserDirectory(folder: folder, logger: logger) { await hub.apply($0) }
        await hub.apply(.browsers(await browsers.browsers))
        let link = DaemonLink(helper: helper, hub: hub, logger: logger)
        server = PageServer(
            files: files, hub: hub, link: link, browsers: browsers, helper: helper, localName: settings.localName,
            logger: logger)
    }

    /// Listens for browsers.
    ///
    /// - Throws: ``HostError`` `host-unavailable`.
    package func start() async throws(HostError) {
        port = try await server.listen(port: settings.port, inNetwork: settings.isInNetwork)
        settings.port = port
        try settings.save(folder: folder)
    }

    /// Returns a link for one browser, once, within two minutes.
    package func link(picker: PagePicker?) async -> String {
        let token = await browsers.makeToken(picker: picker)
        return "http://\(settings.localName).localhost:\(port)/#enter=\(token)"
    }

    package func stop() async { await server.stop() }
}

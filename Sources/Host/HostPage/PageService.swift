import DBus
import Foundation
import HostClient
package import HostInterface
package import Logging

/// The page: its server, what it shows, and who may use it.
package actor PageService {
    /// How long a page that isn't kept on stays without a browser.
    private static let patience = Duration.seconds(900)

    private let folder: String
    private let hub: PageHub
    nonisolated let browsers: BrowserDirectory
    private let server: PageServer
    private let logger: Logger
    private var settings: PageSettings
    private var control: PageControl?
    private var idle: Task<Void, Never>?
    private let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - folder: Of its settings and browsers; it is made.
    ///   - files: The files of the page by name; `index.html` is the page itself.
    /// - Throws: ``HostError`` `storage-failed`.
    package init(
        folder: String, files: @escaping @Sendable (String) -> PageFile?, helper: any PageHelper, logger: Logger
    ) async throws(HostError) {
        try HostFolders.prepare(folder)
        self.folder = folder
        self.logger = logger
        settings = PageSettings.load(folder: folder)
        (ends, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let hub = PageHub()
        self.hub = hub
        browsers = try BrowserDirectory(folder: folder, logger: logger) { await hub.apply($0) }
        await hub.apply(.browsers(await browsers.browsers))
        let link = DaemonLink(helper: helper, hub: hub, logger: logger)
        server = PageServer(
            files: files, hub: hub, link: link, browsers: browsers, helper: helper, localName: settings.localName,
            logger: logger)
    }

    /// Listens for browsers, and for commands.
    ///
    /// - Parameter controlDescriptor: A Unix socket that listens; `nil` for none.
    /// - Throws: ``HostError`` `host-unavailable`.
    package func start(controlDescriptor: Int32? = nil) async throws(HostError) {
        try await listen()
        if let controlDescriptor {
            let control = try await PageControl(
                listeningDescriptor: controlDescriptor, loop: DBusLoop(label: "org.mdhost.page"), service: self)
            self.control = control
            Task { await control.run() }
        }
        watchIdleness()
    }

    /// Serves until ``leave()``, or until nobody has used it for a while.
    package func run() async {
        for await _ in ends { break }
        idle?.cancel()
        await control?.close()
        await server.stop()
    }

    package func leave() { end.yield() }

    private func listen() async throws(HostError) {
        let port = try await server.listen(port: settings.port, inNetwork: settings.isInNetwork)
        guard port != settings.port || !PageSettings.isSaved(folder: folder) else { return }
        settings.port = port
        try settings.save(folder: folder)
    }

    // MARK: Commands

    /// Returns a link for one browser, once, within two minutes.
    ///
    /// - Parameters:
    ///   - picker: The app whose picker the page is for that browser.
    ///   - host: A host that the link names; `nil` for this computer alone.
    ///   - role: What the browser may do.
    package func link(
        picker: PagePicker? = nil, host: String? = nil, role: PageRole = .administrate
    ) async -> String {
        watchIdleness()
        let token = await browsers.makeToken(role: role, picker: picker)
        let host = host.flatMap { Self.isHost($0) ? $0 : nil } ?? "\(settings.localName).localhost"
        return "http://\(host):\(settings.port)/#enter=\(token)"
    }

    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count < 256
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:[]".contains($0)) }
    }

    var browserStatus: [PageBrowserStatus] {
        get async {
            let connected = await hub.connectedBrowsers
            let known = await browsers.browsers.map {
                PageBrowserStatus(
                    id: $0.id, name: $0.name, role: $0.role.rawValue, seen: $0.seen,
                    isConnected: connected.contains($0.id))
            }
            return known + (await browsers.asks)
        }
    }

    var status: PageStatus {
        PageStatus(
            port: settings.port, isEnabled: settings.isEnabled, isInNetwork: settings.isInNetwork)
    }

    func setEnabled(_ value: Bool) throws(HostError) {
        settings.isEnabled = value
        try settings.save(folder: folder)
        watchIdleness()
    }

    func setInNetwork(_ value: Bool) async throws(HostError) {
        guard settings.isInNetwork != value else { return }
        settings.isInNetwork = value
        try settings.save(folder: folder)
        try await listen()
    }

    // MARK: Without browsers

    /// Leaves when there was no browser for a while, unless the page is kept on. One that is kept on wakes up for nothing.
    private func watchIdleness() {
        idle?.cancel()
        idle = nil
        guard !settings.isEnabled else { return }
        idle = Task {
            while (try? await Task.sleep(for: Self.patience)) != nil {
                if await self.hub.isIdle(for: Self.patience) {
                    self.logger.notice("No browser shows the page; it ends")
                    self.leave()
                    return
                }
            }
        }
    }
}

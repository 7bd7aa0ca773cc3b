package import Foundation
package import HostInterface

/// The shared browsers for all extensions: Bonjour through Avahi, and SSDP.
package protocol DiscoveryProvider: Sendable {
    /// Starts or joins a browse. Known items come first, followed by ``BrowseEvent/Kind/settled``.
    ///
    /// Each element is one or more events in order. Events that come close together share an element, because every
    /// element costs a round trip to the extension.
    ///
    /// Ending the iteration leaves the browse; the last one to leave stops it. The stream finishes only after
    /// ``BrowseEvent/Kind/failed``.
    func browse(_ request: BrowseRequest) async -> AsyncStream<[BrowseEvent]>
    /// Watches a device until the iteration ends.
    ///
    /// - Parameters:
    ///   - endpoints: The endpoints; see ``DeviceDescription/endpoints``. Those without a numeric address and a port
    ///     can't be tried; without any other, nothing is reported.
    ///   - isInUse: `true` to detect a loss within seconds; otherwise it takes as long as for a listed device.
    /// - Returns: A stream of `false` after no endpoint has answered for some seconds, and `true` when one answers
    ///   again.
    func watch(_ endpoints: [String], isInUse: Bool) async -> AsyncStream<Bool>
    /// Checks whether a device is available, in at most one second.
    ///
    /// - Parameter endpoints: The endpoints; see ``watch(_:isInUse:)``.
    /// - Returns: `true` if one of them answered; `nil` if none can be tried.
    func confirm(_ endpoints: [String]) async -> Bool?
    /// Reports devices that left one of the regular tries unanswered, once each until they answer again: long before
    /// they count as lost. The stream never finishes by itself.
    ///
    /// - Returns: The endpoints of one device at a time, `address:port` or `[address]:port`.
    func doubts() async -> AsyncStream<[String]>
    /// Asks one host directly for the services that extensions declare.
    ///
    /// - Throws: ``HostError`` `unreachable` if none answers, `invalid-argument` if only a protocol could identify the
    ///   answer.
    func search(_ address: ManualAddress, for kinds: [DeclaredKind]) async throws(HostError) -> [ManualDevice.Finding]
    /// Returns a stream of the current limits of a working discovery, with `discovery-limited`. It never finishes.
    func limits() async -> AsyncStream<[HostError]>
    /// Sets the additional items that browsers report, in place of earlier ones.
    func setManual(_ findings: [ManualDevice.Finding]) async
}

/// The announcements of this computer's services on the network.
package protocol AnnouncementPort: Sendable {
    /// Announces a service until its events aren't read any longer. The stream finishes only after
    /// ``AnnounceEvent/Kind/failed``.
    func announce(_ request: AnnounceRequest) async -> AsyncStream<AnnounceEvent>
}

/// The machine's Bluetooth radio, shared by all extensions.
package protocol CentralProvider: Sendable {
    /// Serves a central manager until its requests end or its events aren't read any longer. Its scan and connections
    /// then end, unless another manager needs them.
    func open(_ requests: AsyncStream<CentralRequest>) async -> AsyncStream<CentralEvent>
}

/// The server of local files for the devices that play them.
package protocol MediaFileServer: Sendable {
    /// Serves `file` under a secret URL until ``withdraw(_:)``, and the subtitles beside it.
    ///
    /// - Parameters:
    ///   - file: A regular, readable file.
    ///   - deviceAddresses: The numeric addresses of the devices (`10.0.0.5`, `fe80::1%eth0`). Only these may fetch the
    ///     file, and the URL has the local address of the interface that reaches the first reachable one.
    /// - Throws: ``HostError`` `file-not-found`, `unreachable` or `invalid-argument`.
    func serve(_ file: URL, to deviceAddresses: [String]) async throws -> ServedFile
    /// Serves the output of another program, once, at the speed at which it is fetched. The writer waits meanwhile.
    ///
    /// Returns when there is data.
    ///
    /// - Throws: As ``serve(_:to:)-(URL,_)``, `invalid-argument` for a stream with nothing in it, and `unsupported-format`
    ///   for one that is neither audio, video nor a picture.
    func serve(
        _ stream: OpenStream, as format: DeviceDescription.LiveFormat, to deviceAddresses: [String]
    ) async throws -> ServedFile
    /// Lets more devices fetch a file; no effect if it is no longer served.
    func admit(_ deviceAddresses: [String], to file: ServedFile) async
    /// Serves a file again under its URL from an earlier process.
    ///
    /// - Parameters:
    ///   - file: The result of ``serve(_:to:)``, whose URL has the address, port and token.
    ///   - source: The local file.
    ///   - deviceAddresses: The addresses; see ``serve(_:to:)``.
    /// - Throws: The errors of ``serve(_:to:)``, and ``HostError`` `host-unavailable` if the port is in use.
    func resume(_ file: ServedFile, of source: URL, to deviceAddresses: [String]) async throws
    /// Stops serving a file, including transfers in progress.
    func withdraw(_ file: ServedFile) async
}

package struct ServedFile: Codable, Sendable, Hashable, Identifiable {
    package let id: String
    package let url: URL
    /// MIME type sent as `Content-Type`.
    package let contentType: String
    /// The subtitles beside the file, as WebVTT; `nil` for none.
    package var subtitles: [ServedSubtitles]?
    package init(id: String, url: URL, contentType: String) {
        self.id = id
        self.url = url
        self.contentType = contentType
    }

    /// The identifiers of everything that is served with it.
    package var tokens: [String] { [id] + (subtitles ?? []).map(\.id) }
}

/// Subtitles that are served along with a file, as WebVTT.
package struct ServedSubtitles: Codable, Sendable, Hashable, Identifiable {
    package let id: String
    package let url: URL
    /// The file that they were made from.
    package let source: URL
    /// The name for people.
    package let name: String
    /// `nil` if unknown.
    package let language: String?

    package init(id: String, url: URL, source: URL, name: String, language: String?) {
        self.id = id
        self.url = url
        self.source = source
        self.name = name
        self.language = language
    }
}

/// The storage of the state that survives a restart: devices per network, pairings, a person's settings, and playback.
package protocol StateStore: Sendable {
    /// Devices seen on `network`, most recently seen first.
    func cachedDevices(network: String) async throws -> [CachedDevice]
    /// Inserts or refreshes; atomic and durable when it returns.
    func remember(_ device: CachedDevice, network: String) async throws
    /// Applies the same to several at once, which is more efficient.
    func remember(_ devices: [CachedDevice], network: String) async throws
    func forgetCachedDevice(id: String) async throws
    /// Forgets the devices of all extensions but these, on every network. Their credentials and names stay: an extension
    /// may be installed again.
    func forgetCachedDevices(exceptOf extensions: Set<String>) async throws
    /// Identifiers of devices with stored credentials.
    func pairedDevices() async throws -> Set<String>
    /// Returns the secret that the extension stored for the device; `nil` if there is none.
    func credential(device: String) async throws -> Data?
    /// Stores, or removes for `nil`. Durable when it returns.
    func setCredential(_ secret: Data?, device: String) async throws
    /// Identifiers of the extensions a person switched off, installed or not.
    func disabledExtensions() async throws -> Set<String>
    /// Durable when it returns.
    func setExtension(_ identifier: String, isEnabled: Bool) async throws
    /// Returns whether a playing app is paused when another session becomes primary; `false` by default.
    func pausesOthers() async throws -> Bool
    /// Durable when it returns.
    func setPausesOthers(_ value: Bool) async throws
    /// HTTPS servers of media, as `host:port`, of which a person accepted any certificate.
    func certificateExceptions() async throws -> Set<String>
    /// In place of all that were stored. Durable when it returns.
    func setCertificateExceptions(_ servers: Set<String>) async throws
    /// Names people gave, by device.
    func ownNames() async throws -> [String: String]
    /// Stores, or removes for `nil`. Durable when it returns.
    func setOwnName(_ name: String?, device: String) async throws
    /// Devices people added, in their order.
    func manualDevices() async throws -> [ManualDevice]
    /// Replaces the stored devices, durably when it returns.
    func setManualDevices(_ devices: [ManualDevice]) async throws
    /// Returns the merges of devices.
    func identities() async throws -> StoredIdentities
    /// Replaces the stored merges atomically, durably when it returns.
    func setIdentities(_ identities: StoredIdentities) async throws
    /// Returns the sessions at the end of the last daemon, in the order of their start.
    func adoptableSessions() async throws -> [AdoptableSession]
    /// Inserts or replaces by identifier; durable when it returns.
    func keep(_ session: AdoptableSession) async throws
    /// Removes an ended session, durably when it returns.
    func dropSession(id: String) async throws
    /// Routes of apps when the daemon ended, in the order they began.
    func applicationRoutes() async throws -> [ApplicationRoute]
    /// Inserts it; durable when it returns.
    func keep(_ route: ApplicationRoute) async throws
    /// Removes an ended route, durably when it returns.
    func dropApplicationRoute(id: String) async throws
}

extension StateStore {
    package func remember(_ devices: [CachedDevice], network: String) async throws {
        for device in devices { try await remember(device, network: network) }
    }
}

package struct CachedDevice: Codable, Sendable, Hashable {
    package var description: DeviceDescription
    /// Identifier of the extension (`CFBundleIdentifier`).
    package var extensionIdentifier: String
    package var lastSeen: Date
    package init(description: DeviceDescription, extensionIdentifier: String, lastSeen: Date) {
        self.description = description
        self.extensionIdentifier = extensionIdentifier
        self.lastSeen = lastSeen
    }
}

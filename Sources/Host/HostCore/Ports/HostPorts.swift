import Foundation
import HostInterface

/// The shared browsers: Bonjour through Avahi and SSDP, one of each for all extensions.
package protocol DiscoveryProvider: Sendable {
    /// Starts (or joins) a browse; what is already known comes first, then ``BrowseEvent/Kind/settled``.
    ///
    /// Ending the iteration leaves the browse; the last one to leave stops it. Never finishes by itself except after
    /// ``BrowseEvent/Kind/failed``.
    func browse(_ request: BrowseRequest) async -> AsyncStream<BrowseEvent>
    /// Looks after a device until the iteration ends.
    ///
    /// - Parameters:
    ///   - endpoints: As in ``DeviceDescription/endpoints``; those without a numeric address and a port cannot be tried,
    ///     and without any other nothing is ever told.
    ///   - isInUse: Whether to know within seconds; else it takes as long as for one that is listed.
    /// - Returns: `false` when none of them has answered for some seconds, `true` when one answers again.
    func watch(_ endpoints: [String], isInUse: Bool) async -> AsyncStream<Bool>
    /// Asks a device at once whether it is there; takes no more than a second.
    ///
    /// - Parameter endpoints: As in ``watch(_:isInUse:)``.
    /// - Returns: Whether one of them answered; `nil` where none can be asked.
    func confirm(_ endpoints: [String]) async -> Bool?
    /// Asks one host directly for what extensions declare.
    ///
    /// - Throws: ``HostError`` `unreachable` where nothing of the kind answers, `invalid-argument` where only a protocol
    ///   could tell what answers.
    func search(_ address: ManualAddress, for kinds: [DeclaredKind]) async throws(HostError) -> [ManualDevice.Finding]
    /// What keeps devices from being found although browsing works, with `discovery-limited`: at once and whenever it is
    /// another. Never finishes by itself.
    func limits() async -> AsyncStream<[HostError]>
    /// What browsers of that kind find besides what announces itself, from now on; in place of what was set before.
    func setManual(_ findings: [ManualDevice.Finding]) async
}

/// Tells the network of this machine's services.
package protocol AnnouncementPort: Sendable {
    /// Announces a service until nobody reads its events any more. Ends by itself only after ``AnnounceEvent/Kind/failed``.
    func announce(_ request: AnnounceRequest) async -> AsyncStream<AnnounceEvent>
}

/// The machine's Bluetooth radio, shared by all extensions.
package protocol CentralProvider: Sendable {
    /// Serves one central manager until its requests end, or nobody reads its events any more; then what it scanned for
    /// and connected ends, unless another wants it.
    func open(_ requests: AsyncStream<CentralRequest>) async -> AsyncStream<CentralEvent>
}

/// Makes a local file reachable to exactly the devices that play it.
package protocol MediaFileServer: Sendable {
    /// Serves `file` under an unguessable URL until ``withdraw(_:)``.
    ///
    /// - Parameters:
    ///   - file: A regular, readable file.
    ///   - deviceAddresses: Numeric addresses of the devices (`10.0.0.5`, `fe80::1%eth0`); only these may fetch, and
    ///     the URL carries the local address of the interface that reaches the first reachable one.
    /// - Throws: ``HostError`` `file-not-found`, `unreachable` or `invalid-argument`.
    func serve(_ file: URL, to deviceAddresses: [String]) async throws -> ServedFile
    /// Serves what another program writes, once, as fast as it is fetched; the writer waits meanwhile.
    ///
    /// Returns when there is something to serve.
    ///
    /// - Throws: As ``serve(_:to:)-(URL,_)``, and `invalid-argument` for a stream with nothing in it.
    func serve(_ stream: OpenStream, to deviceAddresses: [String]) async throws -> ServedFile
    /// Lets more devices fetch what is served; nothing where it is not served any more.
    func admit(_ deviceAddresses: [String], to file: ServedFile) async
    /// Serves a file again under the URL it had, as an earlier process served it.
    ///
    /// - Parameters:
    ///   - file: What ``serve(_:to:)`` gave; its URL tells address, port and token.
    ///   - source: The local file.
    ///   - deviceAddresses: As for ``serve(_:to:)``.
    /// - Throws: ``HostError`` as ``serve(_:to:)``, and `host-unavailable` where the port is not free any more.
    func resume(_ file: ServedFile, of source: URL, to deviceAddresses: [String]) async throws
    /// Ends the service; transfers under way are cut.
    func withdraw(_ file: ServedFile) async
}

package struct ServedFile: Codable, Sendable, Hashable, Identifiable {
    package let id: String
    package let url: URL
    /// MIME type sent as `Content-Type`.
    package let contentType: String
    package init(id: String, url: URL, contentType: String) {
        self.id = id
        self.url = url
        self.contentType = contentType
    }
}

/// What survives a restart: devices per network, pairings, what people set themselves, and what plays.
package protocol StateStore: Sendable {
    /// Devices seen on `network`, most recently seen first.
    func cachedDevices(network: String) async throws -> [CachedDevice]
    /// Inserts or refreshes; atomic and durable when it returns.
    func remember(_ device: CachedDevice, network: String) async throws
    /// The same for several, better done at once.
    func remember(_ devices: [CachedDevice], network: String) async throws
    func forgetCachedDevice(id: String) async throws
    /// Forgets the devices of all extensions but these, on every network. Their credentials and names stay: an extension
    /// may be installed again.
    func forgetCachedDevices(exceptOf extensions: Set<String>) async throws
    /// Identifiers of devices with stored credentials.
    func pairedDevices() async throws -> Set<String>
    /// The secret the extension stored for the device; `nil` if none.
    func credential(device: String) async throws -> Data?
    /// Stores, or removes for `nil`. Durable when it returns.
    func setCredential(_ secret: Data?, device: String) async throws
    /// Identifiers of the extensions a person switched off, installed or not.
    func disabledExtensions() async throws -> Set<String>
    /// Durable when it returns.
    func setExtension(_ identifier: String, isEnabled: Bool) async throws
    /// Whether an app that plays is paused when another session takes the first place; `false` until it was set.
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
    /// In place of all that were stored. Durable when it returns.
    func setManualDevices(_ devices: [ManualDevice]) async throws
    /// Which devices are one to people.
    func identities() async throws -> StoredIdentities
    /// In place of what was stored; all or nothing. Durable when it returns.
    func setIdentities(_ identities: StoredIdentities) async throws
    /// What played when the daemon ended, in the order it began.
    func adoptableSessions() async throws -> [AdoptableSession]
    /// Inserts or replaces by identifier; durable when it returns.
    func keep(_ session: AdoptableSession) async throws
    /// The session is over; durable when it returns.
    func dropSession(id: String) async throws
    /// Routes of apps when the daemon ended, in the order they began.
    func applicationRoutes() async throws -> [ApplicationRoute]
    /// Inserts it; durable when it returns.
    func keep(_ route: ApplicationRoute) async throws
    /// The route is over; durable when it returns.
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

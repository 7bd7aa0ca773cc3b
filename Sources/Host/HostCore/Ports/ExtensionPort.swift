import Foundation
import HostInterface

/// Where an extension plugs in; the raw value is what its manifest says.
package enum ExtensionPoint: String, Sendable, Hashable, Codable, CaseIterable {
    /// It finds devices and plays to them.
    case mediaDevice = "com.apple.media-device-extension"
    /// It represents the remote sessions of an app.
    case remoteMedia = "com.apple.nowplaying.remote-media"
}

/// What an extension process tells the host, one case per call of `org.mdhost.HostLink1`, in wire order.
package enum ExtensionMessage: Sendable, Hashable {
    case foundDevice(DeviceDescription)
    case updateDevices([DeviceDescription])
    case lostDevice(id: String)
    case discoveryFailed(HostError)
    /// `level` is `nil` where the device reports none.
    case volumeChanged(device: String, level: Double?, isMuted: Bool)
    case requestPairingCode(device: String, session: String, challenge: PairingChallenge)
    case activatedDevice(device: String, session: String)
    case failedToActivate(device: String, session: String, error: HostError)
    case started(session: String, application: String, state: PlaybackState)
    case playbackChanged(session: String, state: PlaybackState)
    case sessionFailed(session: String, error: HostError)
    case sessionEnded(session: String)
    case receiveData(Data, application: String, session: String)
    case reportQuality(session: String, thresholdsMet: Bool)
    case measureQuality(session: String, quality: DeliveryQuality)
    case setCredential(device: String, secret: Data?)
    /// What the extension needs to know the session's playback again; empty for nothing.
    case setAdoptionToken(session: String, token: Data)
    case browse(browser: UInt32, request: BrowseRequest)
    case cancelBrowse(browser: UInt32)
    case announce(announcement: UInt32, request: AnnounceRequest)
    case cancelAnnouncement(announcement: UInt32)
    case bluetooth(request: UInt32, order: BluetoothOrder)
    case central(manager: UInt32, request: CentralRequest)
    /// What a remote session shows now.
    case mediaSessionChanged(session: String, state: MediaSessionState)
}

/// What a supervised extension does, tagged with the generation of its process.
package enum ExtensionEvent: Sendable, Hashable {
    /// The process said hello; earlier generations' messages are void.
    case started
    case message(ExtensionMessage)
    /// The process died; a restart follows unless ``ExtensionStatus/State/quarantined``.
    case crashed(HostError)
    case stopped
    /// The status shown to people changed.
    case status(ExtensionStatus)
    /// It is not installed any more; the status named by the event's identifier is void.
    case removed
    /// The answer to ``ExtensionRunner/mark(_:)``: all that happened before was told.
    case marked(Int)
}

package struct SupervisedEvent: Sendable, Hashable {
    /// `CFBundleIdentifier` of the extension.
    package let identifier: String
    package let generation: Int
    package let event: ExtensionEvent
    package init(identifier: String, generation: Int, event: ExtensionEvent) {
        self.identifier = identifier
        self.generation = generation
        self.event = event
    }
}

/// An installed extension as a person sees it.
package struct ExtensionStatus: Sendable, Hashable, Codable, Identifiable {
    package enum State: String, Sendable, Codable {
        case idle, starting, running, crashed, quarantined
        case loadFailed = "load-failed"
        case invalidManifest = "invalid-manifest"
        case disabled
    }
    /// `CFBundleIdentifier`; for an invalid manifest the folder's name.
    package var id: String
    package var name: String
    package var version: String
    package var point = ExtensionPoint.mediaDevice
    package var protocolIdentifier: String
    package var protocolName: String
    /// The `.mdext` folder.
    package var path: String
    package var state: State
    package var lastError: String?
    package var processID: Int32?
    /// Launches that followed a crash.
    package var restarts: Int
    /// Of the newest launch; 0 before the first.
    package var generation: Int
    /// In what it is confined: `files`, `ports`, `signals`, `system-calls`, `processes`; empty before its first launch.
    package var confinement: [String]
    /// The program, absolute.
    package var executablePath = ""
    /// Bonjour types it says it looks for: `_mpd._tcp`.
    package var bonjourServices: [String] = []
    /// Bonjour types it says it announces, and may.
    package var announcedServices: [String] = []
    /// SSDP search targets it says it looks for.
    package var ssdpSearchTargets: [String] = []
    /// Origins and hosts it asks to reach.
    package var requestedDomains: [String] = []
    /// Whether it plays on several devices at a time, as its last process said; `nil` before the first.
    package var supportsSimultaneousSessions: Bool?
    /// Of the SDK it is built with, as its last process said.
    package var sdkVersion: String?
    /// When a crashed one is launched again: `CLOCK_MONOTONIC` in seconds.
    package var retryAt: Double?
    /// How the last process ended, wanted or not: a clause that follows the name.
    package var lastExit: String?

    package init(
        id: String, name: String, version: String = "", protocolIdentifier: String = "", protocolName: String = "",
        path: String, state: State, lastError: String? = nil, processID: Int32? = nil, restarts: Int = 0,
        generation: Int = 0, confinement: [String] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.protocolIdentifier = protocolIdentifier
        self.protocolName = protocolName
        self.path = path
        self.state = state
        self.lastError = lastError
        self.processID = processID
        self.restarts = restarts
        self.generation = generation
        self.confinement = confinement
    }
}

/// A call on an extension, one case per method of `org.mdhost.ExtensionLink1`.
package enum ExtensionCall: Sendable, Hashable {
    case startDeviceDiscovery
    case stopDeviceDiscovery
    case activate(DeviceDescription, session: String, capabilities: DeviceDescription.Capabilities, credential: Data?)
    /// `code` is `nil` when the person cancelled.
    case connectUsingPairingCode(code: String?, device: String, session: String)
    case deactivate(device: String, session: String)
    case setVolume(device: String, level: Double)
    case changeVolume(device: String, increments: Int32)
    case muteDevice(device: String)
    /// `identifier` is `nil` for the device's default player.
    case startSession(session: String, identifier: String?, url: String, media: MediaInformation)
    /// Takes up what an earlier process started, without touching it: `started` where the device still plays it,
    /// `sessionEnded` where it does not.
    case adoptSession(session: String, identifier: String?, url: String, media: MediaInformation, token: Data?)
    case stopSession(session: String)
    case sendData(Data, application: String, session: String)
    case playbackCommand(session: String, PlaybackCommand)
    case browserEvents(browser: UInt32, [BrowseEvent])
    case announcementEvents(announcement: UInt32, [AnnounceEvent])
    case bluetoothAnswers(request: UInt32, [BluetoothAnswer])
    case centralEvents(manager: UInt32, [CentralEvent])
}

/// The supervised extension processes.
package protocol ExtensionRunner: Sendable {
    /// Everything installed, valid or not, in search order.
    func statuses() async -> [ExtensionStatus]
    /// Keeps the extension's process alive until ``release(_:reason:)`` with the same reason (counted).
    ///
    /// Returns at once; ``ExtensionEvent/started`` tells when it runs.
    func acquire(_ identifier: String, reason: String) async
    func release(_ identifier: String, reason: String) async
    /// Delivers a call, in order per extension; returns when the extension took it, not when it is done.
    ///
    /// - Throws: ``HostError`` `extension-crashed` when no process runs or it dies meanwhile, `timed-out` after 5 s.
    func perform(_ call: ExtensionCall, on identifier: String) async throws
    /// Switches the extension off, and waits for the end of its process, or on. Not remembered.
    ///
    /// - Throws: ``HostError`` `no-such-extension`.
    func setEnabled(_ isEnabled: Bool, _ identifier: String) async throws
    /// Ends the extension's process, reads its manifest again and, where it is needed, launches it; forgets its crashes
    /// and lifts a quarantine. Other extensions do not notice. Returns once the new process runs, or none is needed.
    ///
    /// - Throws: ``HostError`` `no-such-extension`, `extension-unusable`, or `extension-crashed`.
    func reload(_ identifier: String) async throws
    /// Has ``ExtensionEvent/marked(_:)`` told, behind everything that happened so far.
    func mark(_ ticket: Int) async
    /// What the extension's process takes now; `nil` while none runs. - Throws: ``HostError`` `no-such-extension`.
    func usage(of identifier: String) async throws -> ProcessUsage?
    /// The newest lines of the extension's log, of earlier processes too, oldest first.
    ///
    /// - Throws: ``HostError`` `no-such-extension`.
    func log(of identifier: String, last count: Int) async throws -> [ExtensionLogLine]
    /// The lines behind the one numbered `sequence`, `count` at most.
    func log(of identifier: String, after sequence: UInt64, count: Int) async -> ExtensionLogBatch
    /// Yields when lines came, once for any number of them; ends when the extension is not installed any more.
    ///
    /// - Throws: ``HostError`` `no-such-extension`.
    func logNews(of identifier: String) async throws -> AsyncStream<Void>
    /// Asks for the level now. - Throws: as ``perform(_:on:)``.
    func volume(of device: String, on identifier: String) async throws -> (level: Double, isMuted: Bool)
    /// All extensions' events, in wire order per extension; one consumer.
    var events: Batches<SupervisedEvent> { get }
    func stopAll() async
}

extension ExtensionRunner {
    /// Delivers what the extension follows.
    ///
    /// - Returns: Whether there is still somebody to be told more: one that is slow to take a call has it all the same.
    func tell(_ call: ExtensionCall, to identifier: String) async -> Bool {
        do {
            try await perform(call, on: identifier)
            return true
        } catch {
            return (error as? HostError)?.code == .timedOut
        }
    }
}

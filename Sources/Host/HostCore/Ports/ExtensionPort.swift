import Foundation
package import HostInterface
package import LinkProtocol

/// An extension point. The raw value is that of the manifest.
package enum ExtensionPoint: String, Sendable, Hashable, Codable, CaseIterable {
    /// The extension discovers devices and plays on them.
    case mediaDevice = "com.apple.media-device-extension"
    /// The extension represents the remote sessions of an app.
    case remoteMedia = "com.apple.nowplaying.remote-media"
}

/// An event of a supervised extension, tagged with the generation of its process.
package enum ExtensionEvent: Sendable, Hashable {
    /// The process said hello; earlier generations' messages are void.
    case started
    case message(ExtensionMessage)
    /// The process died; a restart follows unless ``ExtensionStatus/State/quarantined``.
    case crashed(HostError)
    case stopped
    /// The status shown to people changed.
    case status(ExtensionStatus)
    /// The extension is no longer installed.
    case removed
    /// The answer to ``ExtensionRunner/mark(_:)``, after all earlier events.
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
    /// The generation of the newest process; 0 before the first.
    package var generation: Int
    /// The confinement of the process: `files`, `ports`, `signals`, `system-calls`, `processes`; empty before the first
    /// launch.
    package var confinement: [String]
    /// The program, absolute.
    package var executablePath = ""
    /// The Bonjour types that the manifest declares: `_mpd._tcp`.
    package var bonjourServices: [String] = []
    /// Bonjour types it says it announces, and may.
    package var announcedServices: [String] = []
    /// The SSDP search targets that the manifest declares.
    package var ssdpSearchTargets: [String] = []
    /// Origins and hosts it asks to reach.
    package var requestedDomains: [String] = []
    /// A Boolean value that indicates whether the extension plays on several devices at a time, from its last process;
    /// `nil` before the first.
    package var supportsSimultaneousSessions: Bool?
    /// A Boolean value that indicates whether the extension takes live samples, from its last process; `nil` before the
    /// first.
    package var handlesRealtimeSamples: Bool?
    /// A Boolean value that indicates whether it also reads media from URLs for devices that accept only samples.
    package var readsMedia: Bool?
    /// The version of the extension's SDK, from its last process.
    package var sdkVersion: String?
    /// The time of the next launch after a crash, in seconds of `CLOCK_MONOTONIC`.
    package var retryAt: Double?
    /// The end of the last process, as a clause that follows the name.
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

/// The supervised extension processes.
package protocol ExtensionRunner: Sendable {
    /// Returns all installed extensions, valid or not, in search order.
    func statuses() async -> [ExtensionStatus]
    /// Keeps the extension's process running until ``release(_:reason:)`` with the same reason (counted).
    ///
    /// Returns at once; ``ExtensionEvent/started`` reports the start.
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
    /// Replaces the extension's process: ends it, reads its manifest again and, if it is needed, launches it. Clears
    /// its crashes and quarantine. Returns when the new process runs, or none is needed.
    ///
    /// - Throws: ``HostError`` `no-such-extension`, `extension-unusable`, or `extension-crashed`.
    func reload(_ identifier: String) async throws
    /// Requests an ``ExtensionEvent/marked(_:)`` after all earlier events.
    func mark(_ ticket: Int) async
    /// Returns the resource usage of the extension's process; `nil` if none runs.
    ///
    /// - Throws: ``HostError`` `no-such-extension`.
    func usage(of identifier: String) async throws -> ProcessUsage?
    /// Returns the newest lines of the extension's log, including earlier processes, oldest first.
    ///
    /// - Throws: ``HostError`` `no-such-extension`.
    func log(of identifier: String, last count: Int) async throws -> [ExtensionLogLine]
    /// Returns the lines after the number `sequence`, at most `count`.
    func log(of identifier: String, after sequence: UInt64, count: Int) async -> ExtensionLogBatch
    /// Returns a stream that yields when lines arrive, once for any number of them. It finishes when the extension is
    /// removed.
    ///
    /// - Throws: ``HostError`` `no-such-extension`.
    func logNews(of identifier: String) async throws -> AsyncStream<Void>
    /// Asks for the level now. - Throws: as ``perform(_:on:)``.
    func volume(of device: String, on identifier: String) async throws -> (level: Double, isMuted: Bool)
    /// The events of all extensions, in wire order per extension, for one consumer.
    var events: Batches<SupervisedEvent> { get }
    func stopAll() async
}

extension ExtensionRunner {
    /// Delivers an event that the extension requested.
    ///
    /// - Returns: `false` if the receiver has ended. A slow receiver still gets the call.
    func tell(_ call: ExtensionCall, to identifier: String) async -> Bool {
        do {
            try await perform(call, on: identifier)
            return true
        } catch {
            return (error as? HostError)?.code == .timedOut
        }
    }
}

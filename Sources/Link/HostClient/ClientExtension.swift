import DBus
import HostInterface

/// An installed extension as a client sees it. The fields are those of `org.mdhost.Extension1`.
package struct ClientExtension: Codable, Sendable, Hashable, Identifiable {
    package var id: String
    package var name: String
    package var version: String
    /// The extension point, such as `com.apple.media-device-extension`.
    package var extensionPoint: String
    package var `protocol`: String
    package var protocolName: String
    package var path: String
    package var executable: String
    package var bonjourServices: [String]
    package var announcedServices: [String]
    package var ssdpSearchTargets: [String]
    package var requestedDomains: [String]
    package var capabilities: [String]
    package var sdkVersion: String?
    package var state: String
    /// The time of the next start, in seconds of `CLOCK_MONOTONIC`.
    package var retryAt: Double?
    package var lastError: String?
    package var lastExit: String?
    package var processID: Int?
    package var restarts: Int
    package var generation: Int
    package var confinement: [String]
    /// The resource usage, only after ``HostClient/usage(of:)``.
    package var usage: Usage?

    package struct Usage: Codable, Sendable, Hashable {
        /// The memory in bytes, with shared memory counted in full.
        package var memory: Int
        /// The memory in bytes, with shared memory divided among its users.
        package var proportionalMemory: Int?
        /// The processor time in seconds.
        package var processorTime: Double
        /// The running time in seconds.
        package var runningTime: Double

        package init(memory: Int, proportionalMemory: Int? = nil, processorTime: Double, runningTime: Double) {
            self.memory = memory
            self.proportionalMemory = proportionalMemory
            self.processorTime = processorTime
            self.runningTime = runningTime
        }
    }

    package var objectPath: String { HostNames.extensionPath(id) }

    init?(_ values: [String: DBusValue]) {
        guard let id = values["Id"]?.asString else { return nil }
        func text(_ key: String) -> String? { values[key]?.asString.flatMap { $0.isEmpty ? nil : $0 } }
        self.id = id
        name = values.string("Name")
        version = values.string("Version")
        extensionPoint = values.string("ExtensionPoint")
        self.protocol = values.string("Protocol")
        protocolName = values.string("ProtocolName")
        path = values.string("Path")
        executable = values.string("Executable")
        bonjourServices = values.strings("BonjourServices")
        announcedServices = values.strings("AnnouncedServices")
        ssdpSearchTargets = values.strings("SSDPSearchTargets")
        requestedDomains = values.strings("RequestedDomains")
        capabilities = values.strings("Capabilities")
        sdkVersion = text("SDKVersion")
        state = values.string("State")
        retryAt = values["RetryAt"]?.asDouble.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        lastError = text("LastError")
        lastExit = text("LastExit")
        processID = values.integer("ProcessID") == 0 ? nil : values.integer("ProcessID")
        restarts = values.integer("Restarts")
        generation = values.integer("Generation")
        confinement = values.strings("Confinement")
    }
}

extension ClientExtension.Usage {
    /// Creates usage from a reply; `nil` if no process runs.
    init?(_ values: [String: DBusValue]) {
        guard values["memory"] != nil else { return nil }
        memory = values.integer("memory")
        proportionalMemory = values["proportionalMemory"] == nil ? nil : values.integer("proportionalMemory")
        processorTime = values["processorTime"]?.asDouble ?? 0
        runningTime = values["runningTime"]?.asDouble ?? 0
    }
}

/// A line of an extension's log. The fields are those of `org.mdhost.Extension1.Log`.
package struct ClientLogLine: Codable, Sendable, Hashable {
    package var sequence: Int
    /// The time in seconds since 1970.
    package var time: Double
    package var level: String
    package var generation: Int
    package var isFromHost: Bool
    package var text: String

    init?(_ value: DBusValue) {
        guard case .structure(let fields) = value, fields.count == 6, let sequence = fields[0].asInt64,
            let time = fields[1].asDouble, let level = fields[2].asString, let generation = fields[3].asInt64,
            let isFromHost = fields[4].asBool, let text = fields[5].asString
        else { return nil }
        self.sequence = Int(clamping: sequence)
        self.time = time
        self.level = level
        self.generation = Int(clamping: generation)
        self.isFromHost = isFromHost
        self.text = PrivateText.shown(text)
    }
}

/// The lines that arrived while a log was followed.
package struct ClientLogBatch: Sendable, Hashable {
    package var lines: [ClientLogLine]
    /// The number of lines before these that were dropped.
    package var skipped: Int

    init?(_ arguments: [DBusValue]) {
        guard arguments.count == 2, let lines = arguments[0].asArray, let skipped = arguments[1].asInt64 else {
            return nil
        }
        self.lines = lines.compactMap(ClientLogLine.init)
        self.skipped = Int(clamping: skipped)
    }
}

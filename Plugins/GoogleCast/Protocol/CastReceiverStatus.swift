public import JSONValues

/// The state of a device: the apps that run and the volume.
public struct CastReceiverStatus: Sendable, Hashable {
    public let applications: [CastApplication]
    /// `nil` if the status doesn't contain the volume.
    public let volume: CastVolume?

    /// - Parameter json: The payload of a `RECEIVER_STATUS`.
    public init(_ json: JSON) {
        let status = json["status"]
        applications = (status?["applications"]?.array ?? []).compactMap(CastApplication.init)
        volume = status?["volume"].flatMap(CastVolume.init)
    }

    public func application(_ identifier: String) -> CastApplication? {
        applications.first { $0.identifier == identifier }
    }
}

/// An app that runs on a device.
public struct CastApplication: Sendable, Hashable {
    public let identifier: String
    /// The name for people.
    public let name: String
    public let sessionID: String
    /// The destination of messages to the app.
    public let transportID: String
    /// The kinds of messages that the app understands.
    public let namespaces: [String]
    /// A text about what the app does, for people; empty if it gives none.
    public let statusText: String
    /// A Boolean value that indicates whether the app is only the picture of a device that isn't in use.
    public let isIdle: Bool

    init?(_ json: JSON) {
        guard let identifier = json["appId"]?.string, let session = json["sessionId"]?.string else { return nil }
        self.identifier = identifier
        name = json["displayName"]?.string ?? identifier
        sessionID = session
        // Apps that no sender can talk to have none.
        transportID = json["transportId"]?.string ?? session
        namespaces = (json["namespaces"]?.array ?? []).prefix(100).compactMap { $0["name"]?.string }
        statusText = json["statusText"]?.string ?? ""
        isIdle = json["isIdleScreen"]?.bool ?? false
    }

    /// The namespace of the app's own messages: the first that isn't of Google.
    public var channel: String? { namespaces.first(where: Self.isOwn) }

    public var playsMedia: Bool { namespaces.contains(CastNames.media) }

    /// The app and what it does, for people; `nil` if it does nothing.
    public var activity: String? {
        guard !isIdle else { return nil }
        let says = ["", name].contains(statusText) ? nil : statusText
        // It stays for minutes when what it played is over.
        if identifier == CastNames.mediaReceiver { return says.flatMap { $0 == "Ready To Cast" ? nil : $0 } }
        return says.map { $0.contains(name) ? $0 : "\(name): \($0)" } ?? name
    }

    static func isOwn(_ namespace: String) -> Bool {
        namespace.hasPrefix("urn:x-cast:") && !namespace.hasPrefix(CastNames.google)
    }

    /// Returns a Boolean value that indicates whether a text can be the identifier of an app: letters and digits.
    public static func isIdentifier(_ text: String) -> Bool {
        (4...64).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

/// The volume of a device.
public struct CastVolume: Sendable, Hashable {
    public enum Control: String, Sendable, Hashable {
        /// The device reduces its own sound.
        case attenuation
        /// The volume can't be changed.
        case fixed
        /// The volume is that of the television or amplifier.
        case master
    }

    /// `0...1`
    public let level: Double
    public let isMuted: Bool
    public let control: Control
    /// The smallest change, as a part of 1.
    public let step: Double

    init?(_ json: JSON) {
        guard let level = json["level"]?.number else { return nil }
        self.level = max(0, min(1, level))
        isMuted = json["muted"]?.bool ?? false
        control = json["controlType"]?.string.flatMap(Control.init) ?? .attenuation
        let step = json["stepInterval"]?.number ?? 0
        self.step = step > 0 && step <= 0.5 ? step : 0.05
    }

    /// Returns the level to set for a requested one. A television goes in its own steps, and would round it anyway.
    public func settable(_ level: Double) -> Double {
        let level = max(0, min(1, level))
        return control == .master ? min(1, (level / step).rounded() * step) : level
    }
}

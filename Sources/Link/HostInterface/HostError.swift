package import DBus

/// An error of the host for people and scripts: a stable code, and a sentence of the device or the host.
///
/// On D-Bus it is an error reply with the name `org.mdhost.Error.<Code>` (`authorization-failed` becomes
/// `AuthorizationFailed`) and the ``message``. An unknown name becomes a code of that name, so an older client gets the
/// whole error of a newer daemon.
package struct HostError: Error, Sendable, Hashable, Codable {
    /// The stable slug of an error. The set is open.
    package struct Code: RawRepresentable, Sendable, Hashable, Codable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The app refused the route.
        package static let applicationDeclined = Code(rawValue: "application-declined")
        /// The app failed; the message is the app's own.
        package static let applicationFailed = Code(rawValue: "application-failed")
        package static let authorizationFailed = Code(rawValue: "authorization-failed")
        package static let authorizationRequired = Code(rawValue: "authorization-required")
        package static let ambiguousName = Code(rawValue: "ambiguous-name")
        package static let cancelled = Code(rawValue: "cancelled")
        package static let commandFailed = Code(rawValue: "command-failed")
        package static let deviceInUse = Code(rawValue: "device-in-use")
        package static let deviceRefused = Code(rawValue: "device-refused")
        package static let cannotGroup = Code(rawValue: "cannot-group")
        package static let discoveryFailed = Code(rawValue: "discovery-failed")
        /// Devices were discovered, but others may be missing.
        package static let discoveryLimited = Code(rawValue: "discovery-limited")
        package static let extensionCrashed = Code(rawValue: "extension-crashed")
        package static let extensionDisabled = Code(rawValue: "extension-disabled")
        package static let extensionUnusable = Code(rawValue: "extension-unusable")
        package static let fileNotFound = Code(rawValue: "file-not-found")
        package static let hostUnavailable = Code(rawValue: "host-unavailable")
        package static let internalFailure = Code(rawValue: "internal-failure")
        /// The program asks for more than one may have.
        package static let limitExceeded = Code(rawValue: "limit-exceeded")
        package static let invalidArgument = Code(rawValue: "invalid-argument")
        package static let noSuchDevice = Code(rawValue: "no-such-device")
        package static let noSuchExtension = Code(rawValue: "no-such-extension")
        /// The sound server has no output for the device.
        package static let noSoundOutput = Code(rawValue: "no-sound-output")
        package static let noSoundServer = Code(rawValue: "no-sound-server")
        package static let noSuchSession = Code(rawValue: "no-such-session")
        package static let noSuchSink = Code(rawValue: "no-such-sink")
        package static let notMerged = Code(rawValue: "not-merged")
        package static let notSupported = Code(rawValue: "not-supported")
        package static let reverseConnectionBlocked = Code(rawValue: "reverse-connection-blocked")
        package static let sessionFailed = Code(rawValue: "session-failed")
        package static let storageFailed = Code(rawValue: "storage-failed")
        package static let timedOut = Code(rawValue: "timed-out")
        package static let unreachable = Code(rawValue: "unreachable")
        package static let unreachableURL = Code(rawValue: "unreachable-url")
        package static let unsupportedFormat = Code(rawValue: "unsupported-format")
    }

    package let code: Code
    /// One sentence for people, with the device's own reason if it gave one. It can change between versions.
    package let message: String
    /// The remedy that replaces the usual one of the code. It doesn't cross D-Bus.
    private let ownRemedy: String?

    package init(_ code: Code, _ message: String, remedy: String? = nil) {
        self.code = code
        self.message = message
        ownRemedy = remedy
    }
}

extension HostError: CustomStringConvertible {
    /// The sentence alone: errors get into other sentences and logs by themselves.
    package var description: String { message }
}

extension HostError: DBusErrorConvertible {
    private static let namePrefix = "org.mdhost.Error."

    /// The name of the D-Bus error: `org.mdhost.Error.AuthorizationFailed`.
    package var busName: String {
        Self.namePrefix
            + code.rawValue.split(separator: "-").map {
                $0 == "url" ? "URL" : $0.prefix(1).uppercased() + $0.dropFirst()
            }
            .joined()
    }

    /// Creates an error from a D-Bus error. Errors of the bus itself become ``Code/hostUnavailable`` or
    /// ``Code/timedOut``.
    package init(_ error: DBusError) {
        guard error.name.hasPrefix(Self.namePrefix) else {
            let code: Code
            switch error.name {
            case DBusError.Name.noReply, DBusError.Name.timeout: code = .timedOut
            case DBusError.Name.serviceUnknown, DBusError.Name.disconnected, DBusError.Name.nameHasNoOwner:
                code = .hostUnavailable
            case DBusError.Name.unknownObject: code = .noSuchDevice
            case DBusError.Name.invalidArguments: code = .invalidArgument
            default: code = .internalFailure
            }
            self.init(code, error.message)
            return
        }
        let name = error.name.dropFirst(Self.namePrefix.count).replacing("URL", with: "Url")
        self.init(Code(rawValue: name.hyphenated), error.message)
    }

    package var asDBusError: DBusError { DBusError(name: busName, message: message) }

    /// A Boolean value that indicates whether the same request can succeed later without any change.
    package var canRetry: Bool {
        switch code {
        case .deviceInUse, .extensionCrashed, .hostUnavailable, .timedOut, .unreachable, .sessionFailed,
            .discoveryFailed:
            true
        default: false
        }
    }

    /// The next step for the person as one sentence; `nil` if there is none.
    package var remedy: String? { ownRemedy ?? usualRemedy }

    private var usualRemedy: String? {
        switch code {
        case .authorizationFailed:
            "Try again with the code or password of the device: `mdhost pair DEVICE`."
        case .authorizationRequired:
            "Pair with it in a terminal: `mdhost pair DEVICE`. In a script: `echo CODE | mdhost pair DEVICE`."
        case .ambiguousName:
            "Use a longer part of the name, or the id."
        case .deviceInUse: "Stop playback on the device, or wait until it is free."
        case .cannotGroup: "Play to it alone."
        case .limitExceeded: "Release what is not needed any more."
        case .discoveryFailed:
            """
            Connect this machine to a network, and have avahi-daemon run: `sudo apt install avahi-daemon`, then \
            `sudo systemctl start avahi-daemon`, or `sudo avahi-daemon -D` where there is no systemd.
            """
        case .discoveryLimited:
            """
            Set `cache-entries-max=16384` under [server] in /etc/avahi/avahi-daemon.conf, then \
            `sudo systemctl restart avahi-daemon`.
            """
        case .extensionCrashed: "Try again: the extension restarts by itself."
        case .extensionDisabled: "`mdhost extension enable` switches it on."
        case .extensionUnusable: "Correct the problem, then run `mdhost extension reload`."
        case .hostUnavailable: "Start it with `mdhost daemon`, and look at its log if it does not stay up."
        case .noSoundServer:
            """
            Start PipeWire or PulseAudio for this user, such as `systemctl --user start pipewire` or \
            `pulseaudio --start`, and have XDG_RUNTIME_DIR set.
            """
        case .noSuchSink: "`mdhost sink list` lists the sinks."
        case .noSuchDevice: "`mdhost discover` lists what is nearby."
        case .noSuchExtension: "`mdhost extension list` shows what is installed."
        case .noSuchSession: "Start playback with `mdhost play DEVICE FILE`. `mdhost sessions` lists the sessions."
        case .notMerged: "`mdhost status DEVICE` shows the devices it is made of."
        case .reverseConnectionBlocked: "Allow the named port in this machine's firewall."
        case .unreachable, .timedOut: "Check that the device is on and on this network, then try again."
        case .unreachableURL: "Check that the device itself can open the address."
        case .unsupportedFormat:
            "Choose audio or video in a format that the device plays; most play MP3 and MP4 (H.264 and AAC)."
        default: nil
        }
    }
}

import HostInterface

extension MediaOutputDevice {
    /// What a device takes. Realtime and URL playback are independent and may be combined.
    public struct Capabilities: OptionSet, CustomStringConvertible, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Takes audio samples live.
        public static let realtimeAudioStreaming = Self(.realtimeAudio)
        /// Takes video samples live (mirroring); together with ``realtimeAudioStreaming``.
        public static let realtimeVideoStreaming = Self(.realtimeVideo)
        /// Takes a media URL and plays it by itself.
        public static let urlPlayback = Self(.urlPlayback)
        /// Starts an application, which gives a data channel between the two applications.
        public static let appLaunch = Self(.appLaunch)

        /// The names of the set's members, e.g. `[url-playback, app-launch]`.
        public var description: String {
            "[" + DeviceDescription.Capabilities(rawValue: rawValue).names.joined(separator: ", ") + "]"
        }

        private init(_ onWire: DeviceDescription.Capabilities) { rawValue = onWire.rawValue }
    }

    /// What a device looks like; decides its icon only.
    public enum DeviceType: Sendable, Equatable, Hashable {
        case hifiSpeaker
        case tv
        case mediaStick
        case laptopComputer
        case desktopComputer
        case tvAndMediabox
        case hifiSpeakerTwo
        case tvAndHifiSpeaker
    }

    /// How a device's level can be changed.
    public enum VolumeControl: Sendable, Equatable, Hashable {
        /// Not at all.
        case none
        /// To a level: `setVolume(_:for:)` and `volume(for:)`.
        case absolute
        /// By steps only: `changeVolume(by:for:)`.
        case relative
    }

    /// What a person has to enter before the device can be used.
    public struct AuthorizationMethod: Equatable, Sendable {
        /// How many digits a numeric code has.
        public struct CodeLength: Equatable, Sendable {
            let digits: Int
            public static let fourCharacter = CodeLength(digits: 4)
            public static let sixCharacter = CodeLength(digits: 6)
        }

        let method: PairingChallenge.Method
        let length: Int

        /// Nothing; the person confirms, for example on the device itself.
        public static var none: AuthorizationMethod { AuthorizationMethod(method: .none, length: 0) }
        /// A code of digits, one field for each.
        public static func numericCode(length: CodeLength) -> AuthorizationMethod {
            AuthorizationMethod(method: .numericCode, length: length.digits)
        }
        /// Free text.
        public static var password: AuthorizationMethod { AuthorizationMethod(method: .password, length: 0) }
    }
}

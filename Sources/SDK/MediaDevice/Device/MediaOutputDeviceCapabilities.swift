import HostInterface

extension MediaOutputDevice {
    /// The kinds of media that a device accepts. Realtime and URL playback are independent and can be combined.
    public struct Capabilities: OptionSet, CustomStringConvertible, Sendable {
        /// The bits of the set.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Accepts live audio samples.
        public static let realtimeAudioStreaming = Self(.realtimeAudio)
        /// Accepts live video samples (mirroring), for a ``MediaVideoReader``. Use it together with ``realtimeAudioStreaming``.
        public static let realtimeVideoStreaming = Self(.realtimeVideo)
        /// Plays media from a URL by itself.
        public static let urlPlayback = Self(.urlPlayback)
        /// Launches applications, with a data channel to the media app.
        public static let appLaunch = Self(.appLaunch)

        /// The names of the members, such as `[url-playback, app-launch]`.
        public var description: String {
            "[" + DeviceDescription.Capabilities(rawValue: rawValue).names.joined(separator: ", ") + "]"
        }

        private init(_ onWire: DeviceDescription.Capabilities) { rawValue = onWire.rawValue }
    }

    /// The kind of a device, which only determines its icon.
    public enum DeviceType: Sendable, Equatable, Hashable {
        /// A loudspeaker.
        case hifiSpeaker
        /// A television.
        case tv
        /// A media stick in a television.
        case mediaStick
        /// A portable computer.
        case laptopComputer
        /// A desktop computer.
        case desktopComputer
        /// A television with a set-top box.
        case tvAndMediabox
        /// A pair of loudspeakers.
        case hifiSpeakerTwo
        /// A television with a loudspeaker.
        case tvAndHifiSpeaker
    }

    /// The kind of volume control that a device has.
    public enum VolumeControl: Sendable, Equatable, Hashable {
        /// No volume control.
        case none
        /// A volume that can be set and read with `setVolume(_:for:)` and `volume(for:)`.
        case absolute
        /// A volume that only changes in steps, with `changeVolume(by:for:)`.
        case relative
    }

    /// The input that a person provides before the device can be used.
    public struct AuthorizationMethod: Equatable, Sendable {
        /// The number of digits of a numeric code.
        public struct CodeLength: Equatable, Sendable {
            let digits: Int
            /// Four digits.
            public static let fourCharacter = CodeLength(digits: 4)
            /// Six digits.
            public static let sixCharacter = CodeLength(digits: 6)
        }

        let method: PairingChallenge.Method
        let length: Int

        /// No input. The person confirms, for example on the device.
        public static var none: AuthorizationMethod { AuthorizationMethod(method: .none, length: 0) }
        /// Returns the method of a numeric code, with one field for each digit.
        public static func numericCode(length: CodeLength) -> AuthorizationMethod {
            AuthorizationMethod(method: .numericCode, length: length.digits)
        }
        /// A password of any length.
        public static var password: AuthorizationMethod { AuthorizationMethod(method: .password, length: 0) }
    }
}

extension AVAudioSession {
    /// What an app does with sound.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// The original's name.
        public let rawValue: String
        /// Takes the original's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Sound that isn't the app's purpose, mixed with that of others.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Sound that isn't the app's purpose, alone.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Music, videos, speech.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording; claims nothing.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Both.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// To several outputs.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// What an app does in particular.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The original's name.
        public let rawValue: String
        /// Takes the original's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing in particular.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Films.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Speech.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// A game's voices.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// A call.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// A call with pictures.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Films being made.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Sound being measured.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    }

    /// What a category is changed by.
    public struct CategoryOptions: OptionSet, Sendable {
        /// The original's bits.
        public let rawValue: UInt
        /// Takes the original's bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Others go on.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// Others go on, lower.
        public static let duckOthers = CategoryOptions(rawValue: 0x3)
        /// Other music goes on, other speech doesn't.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
        /// Headsets may be used.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
        /// Bluetooth speakers may be used.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        /// AirPlay may be used.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
        /// The speaker instead of the receiver.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    }

    /// How a session is deactivated.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// The original's bits.
        public let rawValue: UInt
        /// Takes the original's bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Others may resume.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// Where an app is heard.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// As the system decides.
        case `default` = 0
        /// Where long sound is heard.
        case longFormAudio = 1
        /// Somewhere else than everything else.
        case independent = 2
        /// Where long films are heard.
        case longFormVideo = 3
    }
}

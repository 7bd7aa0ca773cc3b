extension AVAudioSession {
    /// An app's use of audio.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// The name on Apple's systems.
        public let rawValue: String
        /// Creates a category from its name on Apple's systems.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Audio that isn't essential to the app, mixed with that of other apps.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Audio that isn't essential to the app, without that of other apps.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Playback of music, videos or speech.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording. It makes no request.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Playback and recording.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Playback to several outputs.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// A specific use of audio within a category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The name on Apple's systems.
        public let rawValue: String
        /// Creates a mode from its name on Apple's systems.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No specific use.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Playback of films.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Playback of speech.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Voice chat of a game.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// A voice call.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// A video call.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Recording of a video.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Measurement of audio.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    }

    /// The options of a category.
    public struct CategoryOptions: OptionSet, Sendable {
        /// The bits on Apple's systems.
        public let rawValue: UInt
        /// Creates a set from its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Mixes with the audio of other apps.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// Lowers the volume of other apps.
        public static let duckOthers = CategoryOptions(rawValue: 0x3)
        /// Interrupts speech of other apps, and mixes with their other audio.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
        /// Allows Bluetooth headsets.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
        /// Allows Bluetooth speakers.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        /// Allows AirPlay.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
        /// Uses the loudspeaker instead of the receiver of a phone.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    }

    /// The options of an activation or deactivation.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// The bits on Apple's systems.
        public let rawValue: UInt
        /// Creates a set from its bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Tells other apps that they can resume.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// The route of an app's audio.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// The route that the system chooses.
        case `default` = 0
        /// The route for long audio.
        case longFormAudio = 1
        /// A route of the app's own.
        case independent = 2
        /// The route for long videos.
        case longFormVideo = 3
    }
}

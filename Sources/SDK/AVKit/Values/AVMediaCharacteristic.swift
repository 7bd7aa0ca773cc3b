/// A characteristic of an audio or subtitle option.
public struct AVMediaCharacteristic: RawRepresentable, Sendable, Hashable {
    /// The name of the characteristic; the set of names is open.
    public let rawValue: String

    /// Creates a characteristic from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a characteristic from its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Visual media.
    public static let visual = AVMediaCharacteristic("public.visual")
    /// Audible media.
    public static let audible = AVMediaCharacteristic("public.audible")
    /// Readable text.
    public static let legible = AVMediaCharacteristic("public.legible")
    /// Media that consists of single frames.
    public static let frameBased = AVMediaCharacteristic("public.frame-based")
    /// The main content, as selected by its maker.
    public static let isMainProgramContent = AVMediaCharacteristic("public.main-program-content")
    /// Content besides the main content, such as a commentary.
    public static let isAuxiliaryContent = AVMediaCharacteristic("public.auxiliary-content")
    /// Original content that isn't translated.
    public static let isOriginalContent = AVMediaCharacteristic("public.original-content")
    /// Only subtitles that everyone should see, such as translations of foreign-language dialogue.
    public static let containsOnlyForcedSubtitles = AVMediaCharacteristic("public.subtitles.forced-only")
    /// A transcription of spoken dialogue.
    public static let transcribesSpokenDialogForAccessibility = AVMediaCharacteristic(
        "public.accessibility.transcribes-spoken-dialog")
    /// A description of music and sounds.
    public static let describesMusicAndSoundForAccessibility = AVMediaCharacteristic(
        "public.accessibility.describes-music-and-sound")
    /// Audio in which speech is easier to understand.
    public static let enhancesSpeechIntelligibility = AVMediaCharacteristic(
        "public.accessibility.enhances-speech-intelligibility")
    /// Text that is easier to read.
    public static let easyToRead = AVMediaCharacteristic("public.easy-to-read")
    /// A description of the picture.
    public static let describesVideoForAccessibility = AVMediaCharacteristic(
        "public.accessibility.describes-video")
    /// A translation of any kind.
    public static let languageTranslation = AVMediaCharacteristic("public.translation")
    /// A translation in place of the original voices.
    public static let dubbedTranslation = AVMediaCharacteristic("public.translation.dubbed")
    /// A translation spoken over the original voices.
    public static let voiceOverTranslation = AVMediaCharacteristic("public.translation.voice-over")
}

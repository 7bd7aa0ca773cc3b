/// What sets a choice of audio or subtitles apart.
public struct AVMediaCharacteristic: RawRepresentable, Sendable, Hashable {
    /// The name of the characteristic; the set of names is open.
    public let rawValue: String

    /// Takes a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Can be seen.
    public static let visual = AVMediaCharacteristic("public.visual")
    /// Can be heard.
    public static let audible = AVMediaCharacteristic("public.audible")
    /// Can be read.
    public static let legible = AVMediaCharacteristic("public.legible")
    /// Consists of single frames.
    public static let frameBased = AVMediaCharacteristic("public.frame-based")
    /// The content itself, chosen by its maker.
    public static let isMainProgramContent = AVMediaCharacteristic("public.main-program-content")
    /// Beside the content, such as a commentary.
    public static let isAuxiliaryContent = AVMediaCharacteristic("public.auxiliary-content")
    /// As it was made, not translated.
    public static let isOriginalContent = AVMediaCharacteristic("public.original-content")
    /// Only text that everybody should see, such as for a foreign language in the film.
    public static let containsOnlyForcedSubtitles = AVMediaCharacteristic("public.subtitles.forced-only")
    /// Writes down what is said.
    public static let transcribesSpokenDialogForAccessibility = AVMediaCharacteristic(
        "public.accessibility.transcribes-spoken-dialog")
    /// Describes music and noises.
    public static let describesMusicAndSoundForAccessibility = AVMediaCharacteristic(
        "public.accessibility.describes-music-and-sound")
    /// Makes speech easier to understand.
    public static let enhancesSpeechIntelligibility = AVMediaCharacteristic(
        "public.accessibility.enhances-speech-intelligibility")
    /// Simplified for easier reading.
    public static let easyToRead = AVMediaCharacteristic("public.easy-to-read")
    /// Tells what is seen.
    public static let describesVideoForAccessibility = AVMediaCharacteristic(
        "public.accessibility.describes-video")
    /// A translation of any kind.
    public static let languageTranslation = AVMediaCharacteristic("public.translation")
    /// A translation in place of the original voices.
    public static let dubbedTranslation = AVMediaCharacteristic("public.translation.dubbed")
    /// A translation spoken over the original voices.
    public static let voiceOverTranslation = AVMediaCharacteristic("public.translation.voice-over")
}

extension UTType {
    /// Audio.
    public static let audio = system("public.audio")
    /// MP3 audio.
    public static let mp3 = system("public.mp3")
    /// MPEG-4 audio.
    public static let mpeg4Audio = system("public.mpeg-4-audio")
    /// MPEG-4 audio with rights management.
    public static let appleProtectedMPEG4Audio = system("com.apple.protected-mpeg-4-audio")
    /// AIFF audio.
    public static let aiff = system("public.aiff-audio")
    /// WAVE audio.
    public static let wav = system("com.microsoft.waveform-audio")
    /// MIDI notes.
    public static let midi = system("public.midi-audio")
    /// AAC audio in an ADTS stream. Available on Linux only.
    public static let aac = system("public.aac-audio")
    /// AC-3 audio. Available on Linux only.
    public static let ac3 = system("public.ac3-audio")
    /// FLAC audio. Available on Linux only.
    public static let flac = system("org.xiph.flac")
    /// Ogg audio, whatever the codec. Available on Linux only.
    public static let oggAudio = system("org.xiph.ogg-audio")
    /// Opus audio. Available on Linux only.
    public static let opus = system("org.xiph.opus")
    /// Uncompressed samples, as devices announce them. Available on Linux only.
    public static let linearPCM = system("public.linear-pcm")
}

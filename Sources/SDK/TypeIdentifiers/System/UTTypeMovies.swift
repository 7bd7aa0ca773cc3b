extension UTType {
    /// Audio, video, or both.
    public static let audiovisualContent = system("public.audiovisual-content")
    /// Video, possibly with audio.
    public static let movie = system("public.movie")
    /// Video without audio.
    public static let video = system("public.video")
    /// A QuickTime movie.
    public static let quickTimeMovie = system("com.apple.quicktime-movie")
    /// An MPEG-4 movie.
    public static let mpeg4Movie = system("public.mpeg-4")
    /// An MPEG-4 movie with rights management.
    public static let appleProtectedMPEG4Video = system("com.apple.protected-mpeg-4-video")
    /// An MPEG-1 or MPEG-2 movie.
    public static let mpeg = system("public.mpeg")
    /// MPEG-2 video.
    public static let mpeg2Video = system("public.mpeg-2-video")
    /// An MPEG-2 transport stream.
    public static let mpeg2TransportStream = system("public.mpeg-2-transport-stream")
    /// An AVI movie.
    public static let avi = system("public.avi")
    /// A 3GPP movie. Available on Linux only.
    public static let threeGPP = system("public.3gpp")
    /// A Matroska movie. Available on Linux only.
    public static let matroskaMovie = system("org.matroska.mkv")
    /// A WebM movie. Available on Linux only.
    public static let webM = system("org.webmproject.webm")
}

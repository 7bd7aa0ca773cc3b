extension UTType {
    /// Text of any kind and encoding.
    public static let text = system("public.text")
    /// Text without markup, in any encoding.
    public static let plainText = system("public.plain-text")
    /// Text without markup in UTF-8.
    public static let utf8PlainText = system("public.utf8-plain-text")
    /// Text in columns.
    public static let delimitedText = system("public.delimited-values-text")
    /// Text in columns separated by commas.
    public static let commaSeparatedText = system("public.comma-separated-values-text")
    /// XML.
    public static let xml = system("public.xml")
    /// HTML, any version.
    public static let html = system("public.html")
    /// JSON.
    public static let json = system("public.json")
    /// YAML.
    public static let yaml = system("public.yaml")
    /// Source code in any language.
    public static let sourceCode = system("public.source-code")
    /// A list of media to play.
    public static let playlist = system("public.playlist")
    /// An M3U playlist, which is also an HLS presentation.
    public static let m3uPlaylist = system("public.m3u-playlist")
    /// A PLS playlist. Available on Linux only.
    public static let plsPlaylist = system("public.pls-playlist")
    /// A DASH presentation. Available on Linux only.
    public static let mpegDASH = system("public.mpeg-dash")
    /// Subtitles in any format. Available on Linux only.
    public static let subtitle = system("public.subtitle")
    /// WebVTT subtitles. Available on Linux only.
    public static let webVTT = system("org.w3.webvtt")
    /// SubRip subtitles. Available on Linux only.
    public static let subRip = system("public.subrip")
}

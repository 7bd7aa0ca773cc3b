/// The table of types that need no declaration: media types, their supertypes and related types.
enum SystemTypes {
    /// The columns are identifier, direct parents, filename extensions, MIME types and name. The first of several types
    /// with a tag is the preferred one.
    static let table = """
        public.item | | | | item
        public.content | | | | content
        public.data | public.item | | application/octet-stream | data
        public.composite-content | public.content | | | composite content
        public.directory | public.item | | | directory
        public.folder | public.directory | | | folder
        public.url | public.data | | | URL
        public.file-url | public.url | | | file URL
        public.archive | | | | archive
        public.executable | public.item | | | executable
        public.database | public.data | | | database
        public.message | | | | message
        public.contact | | | | contact
        public.disk-image | public.archive | | | disk image
        public.media-sharing-protocol | | | | media sharing protocol
        public.text | public.data public.content | | | text
        public.plain-text | public.text | txt text | text/plain | plain text
        public.utf8-plain-text | public.plain-text | | text/plain;charset=utf-8 | UTF-8 plain text
        public.delimited-values-text | public.text | | | delimited text
        public.comma-separated-values-text | public.delimited-values-text | csv | text/csv | CSV text
        public.xml | public.text | xml | application/xml text/xml | XML text
        public.html | public.text | html htm | text/html | HTML text
        public.css | public.text | css | text/css | CSS style sheet
        public.json | public.text | json | application/json | JSON
        public.yaml | public.text | yaml yml | application/x-yaml | YAML
        public.source-code | public.plain-text | | | source code
        com.apple.property-list | public.data | plist | | property list
        com.adobe.pdf | public.data public.composite-content | pdf | application/pdf | PDF document
        public.zip-archive | public.data public.archive | zip | application/zip | ZIP archive
        org.gnu.gnu-zip-archive | public.data public.archive | gz gzip | application/gzip | gzip archive
        public.bookmark | | | | bookmark
        public.font | public.data | | | font
        public.audiovisual-content | public.data public.content | | | audiovisual content
        public.movie | public.audiovisual-content | | | movie
        public.video | public.movie | | | video
        public.audio | public.audiovisual-content | | | audio
        public.playlist | | | | playlist
        public.m3u-playlist | public.text public.playlist | m3u8 m3u | application/vnd.apple.mpegurl audio/mpegurl audio/x-mpegurl application/x-mpegurl | M3U playlist
        public.pls-playlist | public.text public.playlist | pls | audio/x-scpls | PLS playlist
        com.apple.quicktime-movie | public.movie | mov qt | video/quicktime | QuickTime movie
        public.mpeg-4 | public.movie | mp4 mpg4 | video/mp4 | MPEG-4 movie
        com.apple.m4v-video | public.movie | m4v | video/x-m4v | M4V movie
        com.apple.protected-mpeg-4-video | public.movie | m4v | video/x-m4v | protected MPEG-4 movie
        public.mpeg | public.movie | mpg mpeg mpe m75 m15 | video/mpeg video/mpg video/x-mpeg | MPEG movie
        public.mpeg-2-video | public.video | m2v | video/mpeg2 | MPEG-2 video
        public.mpeg-2-transport-stream | public.movie | ts tsv | video/mp2t | MPEG-2 transport stream
        public.avchd-mpeg-2-transport-stream | public.mpeg-2-transport-stream | mts m2ts | video/avchd-stream | AVCHD transport stream
        public.avi | public.movie | avi vfw | video/avi video/msvideo video/x-msvideo | AVI movie
        public.3gpp | public.movie | 3gp 3gpp | video/3gpp | 3GPP movie
        public.3gpp2 | public.movie | 3g2 3gp2 | video/3gpp2 | 3GPP2 movie
        org.matroska.mkv | public.movie | mkv | video/x-matroska video/matroska | Matroska movie
        org.matroska.mka | public.audio | mka | audio/x-matroska audio/matroska | Matroska audio
        org.webmproject.webm | public.movie | webm | video/webm | WebM movie
        org.webmproject.webm-audio | public.audio | weba | audio/webm | WebM audio
        org.xiph.ogv | public.movie | ogv | video/ogg | Ogg movie
        com.adobe.flash-video | public.movie | flv f4v | video/x-flv | Flash movie
        com.microsoft.windows-media-wmv | public.movie | wmv | video/x-ms-wmv | Windows Media movie
        com.microsoft.advanced-systems-format | public.movie | asf | video/x-ms-asf | ASF movie
        public.mxf | public.movie | mxf | application/mxf | MXF movie
        public.dv-movie | public.movie | dv dif | video/dv | DV movie
        public.mpeg-dash | public.xml public.playlist | mpd | application/dash+xml | DASH presentation
        public.mp3 | public.audio | mp3 mpga | audio/mpeg audio/mpeg3 audio/mpg audio/mp3 audio/x-mpeg audio/x-mp3 | MP3 audio
        public.mp2 | public.audio | mp2 | audio/x-mp2 | MP2 audio
        public.mpeg-4-audio | public.mpeg-4 public.audio | mp4 | audio/mp4 | MPEG-4 audio
        com.apple.m4a-audio | public.audio | m4a | audio/x-m4a audio/m4a | M4A audio
        com.apple.protected-mpeg-4-audio | public.audio | m4p | audio/x-m4p | protected MPEG-4 audio
        public.aac-audio | public.audio | aac adts | audio/aac audio/x-aac audio/aacp | AAC audio
        public.ac3-audio | public.audio | ac3 | audio/ac3 | AC-3 audio
        public.enhanced-ac3-audio | public.audio | eac3 ec3 | audio/eac3 | Enhanced AC-3 audio
        public.dts-audio | public.audio | dts | audio/vnd.dts | DTS audio
        public.aiff-audio | public.audio | aiff aif | audio/aiff audio/x-aiff | AIFF audio
        public.aifc-audio | public.aiff-audio | aifc | audio/aiff | AIFF-C audio
        com.microsoft.waveform-audio | public.audio | wav wave | audio/vnd.wave audio/wav audio/wave audio/x-wav | WAVE audio
        public.au-audio | public.audio | au snd ulw | audio/basic | AU audio
        com.apple.coreaudio-format | public.audio | caf | audio/x-caf | Core Audio Format audio
        org.xiph.flac | public.audio | flac | audio/flac audio/x-flac | FLAC audio
        org.xiph.ogg-audio | public.audio | ogg oga | audio/ogg application/ogg | Ogg audio
        org.xiph.opus | public.audio | opus | audio/opus | Opus audio
        com.microsoft.windows-media-wma | public.audio | wma | audio/x-ms-wma | Windows Media audio
        public.amr | public.audio | amr | audio/amr | AMR audio
        public.midi-audio | public.audio | midi mid kar | audio/midi audio/x-midi | MIDI audio
        com.monkeysaudio.ape | public.audio | ape | audio/x-ape | Monkey's Audio
        com.wavpack.wv | public.audio | wv | audio/x-wavpack | WavPack audio
        com.sony.dsf | public.audio | dsf | audio/x-dsf | DSD stream file
        public.dsdiff | public.audio | dff | audio/x-dff | DSD interchange file
        public.linear-pcm | public.audio | | audio/L16 audio/L24 | linear PCM audio
        public.image | public.data public.content | | | image
        public.jpeg | public.image | jpeg jpg jpe | image/jpeg image/jpg | JPEG image
        public.png | public.image | png | image/png | PNG image
        com.compuserve.gif | public.image | gif | image/gif | GIF image
        public.tiff | public.image | tiff tif | image/tiff | TIFF image
        com.microsoft.bmp | public.image | bmp dib | image/bmp | BMP image
        com.microsoft.ico | public.image | ico | image/vnd.microsoft.icon image/x-icon | Windows icon
        public.heif-standard | public.image | heif | image/heif | HEIF image
        public.heic | public.heif-standard | heic | image/heic | HEIC image
        public.avif | public.heif-standard | avif | image/avif | AVIF image
        org.webmproject.webp | public.image | webp | image/webp | WebP image
        public.svg-image | public.image public.xml | svg | image/svg+xml | SVG image
        public.jpeg-2000 | public.image | jp2 | image/jp2 | JPEG 2000 image
        public.jpeg-xl | public.image | jxl | image/jxl | JPEG XL image
        public.camera-raw-image | public.image | | | raw image
        public.subtitle | public.text | | | subtitles
        org.w3.webvtt | public.subtitle | vtt webvtt | text/vtt | WebVTT subtitles
        org.w3.ttml | public.xml public.subtitle | ttml dfxp | application/ttml+xml | TTML subtitles
        public.subrip | public.subtitle | srt | application/x-subrip text/srt | SubRip subtitles
        public.substation-alpha | public.subtitle | ass ssa | text/x-ssa | SubStation Alpha subtitles
        """

    static let all: [TypeDeclaration] = table.split(separator: "\n").map { line in
        let columns = line.split(separator: "|", omittingEmptySubsequences: false).map { column in
            column.split(separator: " ").map(String.init)
        }
        // A row with a column missing is found by the tests of the table, not by a program that runs.
        func column(_ index: Int) -> [String] { index < columns.count ? columns[index] : [] }
        var tags: [String: [String]] = [:]
        if !column(2).isEmpty { tags[UTTagClass.filenameExtension.rawValue] = column(2) }
        if !column(3).isEmpty { tags[UTTagClass.mimeType.rawValue] = column(3) }
        return TypeDeclaration(
            identifier: column(0).first ?? "", description: column(4).joined(separator: " "), parents: column(1),
            tags: tags)
    }
}

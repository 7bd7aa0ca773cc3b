import MediaTypes
import Testing

struct MediaTypeTests {
    @Test(arguments: [
        ("film.MKV", "video/x-matroska"), ("a.b.mp4", "video/mp4"), ("a.mp3", "audio/mpeg"), ("a.flac", "audio/flac"),
        ("a.ogg", "audio/ogg"), ("a.wav", "audio/wav"), ("a.m4a", "audio/mp4"), ("a.webm", "video/webm"),
        ("a.avi", "video/x-msvideo"), ("a.ts", "video/mp2t"), ("a.srt", "application/x-subrip"), ("a.vtt", "text/vtt"),
        ("a.jpg", "image/jpeg"), ("none", "application/octet-stream"), (".mp3", "application/octet-stream"),
        ("a.", "application/octet-stream"),
    ])
    func types(name: String, type: String) {
        #expect(MediaType.of(name) == type)
    }

    @Test func guessesByTheLastComponentOfAPath() {
        #expect(MediaType.guess(fromPath: "/a.b/Song.MP3") == "audio/mpeg")
        #expect(MediaType.guess(fromPath: "/a.mp4/song") == nil)
        #expect(MediaType.guess(fromPath: "") == nil)
    }

    @Test(arguments: [
        ("RIFF....WAVEfmt ", "audio/wav"), ("fLaC", "audio/flac"), ("OggS", "audio/ogg"), ("....ftypM4A ", "audio/mp4"),
        ("....ftypisom", "video/mp4"), ("", "application/octet-stream"), ("text", "application/octet-stream"),
    ])
    func beginnings(content: String, type: String) {
        #expect(MediaType.ofBeginning(Array(content.utf8)) == type)
    }

    @Test func suffixes() {
        #expect(MediaType.suffix(of: "audio/flac") == "flac" && MediaType.suffix(of: "audio/mpeg") == "mp2")
        #expect(MediaType.suffix(of: "text/unknown") == nil)
    }
}

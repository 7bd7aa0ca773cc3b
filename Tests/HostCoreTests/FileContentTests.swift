import HostCore
import Testing

@Suite("What a file is by its content")
struct FileContentTests {
    @Test(
        "what no device plays is named",
        arguments: [
            ("", "an empty file"), ("print('kettle')\n", "a text file"), ("#!/usr/bin/python3\nprint()\n", "a script"),
            ("<!DOCTYPE html><title>x</title>", "a web page"), ("{\\rtf1 x}", "an RTF document"),
            ("1\n00:00:01,000 --> 00:00:02,000\nHello\n", "a text file"), ("%PDF-1.7\n%\u{1}\u{2}", "a PDF document"),
            ("PK\u{3}\u{4}" + String(repeating: "\0", count: 26) + "word/document.xml", "an Office document"),
            ("PK\u{3}\u{4}" + String(repeating: "\0", count: 26) + "song.mp3", "a ZIP archive"),
            ("\u{7F}ELF\u{2}\u{1}\u{1}\0", "a program"), ("SQLite format 3\0", "a database"),
            (String(repeating: "\0", count: 257) + "ustar\0", "a tar archive"),
        ])
    func named(_ text: String, _ kind: String) {
        #expect(FileContent(text.utf8, suffix: "mp3") == .other(kind))
    }

    @Test("archives by their first bytes")
    func archives() {
        #expect(FileContent([0x1F, 0x8B, 8, 0], suffix: "gz") == .other("a gzip archive"))
        #expect(
            FileContent([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], suffix: "") == .other("an Office document"))
    }

    @Test("text of other encodings, and one cut within a character")
    func encodings() {
        let wide: [UInt8] = [0xFF, 0xFE] + "kettle".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(FileContent(wide, suffix: "") == .other("a text file"))
        let long = "a" + String(repeating: "ü", count: 4_096)
        #expect(FileContent(long.utf8, suffix: "") == .other("a text file"))
    }

    @Test(
        "playlists are for the device to decide",
        arguments: [
            ("#EXTM3U\nhttp://a/b.ts\n", ""), ("[playlist]\nFile1=x\n", ""), ("song.mp3\nother.mp3\n", "m3u"),
            ("http://radio.example.com/stream\n", ""), ("<?xml version=\"1.0\"?>\n<playlist version=\"1\"/>", ""),
            ("<?xml version=\"1.0\"?>\n<MPD/>", "mpd"),
        ])
    func playlists(_ text: String, _ suffix: String) {
        #expect(FileContent(text.utf8, suffix: suffix) == .playable)
    }

    @Test(
        "media and unknown bytes pass",
        arguments: [
            Array("ID3\u{3}\0".utf8), Array("ID3".utf8), Array("RIFF\0\0\0\0WAVE".utf8),
            [0xFF, 0xFB, 0x90, 0x64, 0, 0, 0, 0],
            [0xFF, 0xFE, 0x90, 0x00, 0x00, 0x00, 0xD8, 0xD8], Array("#!AMR\n".utf8) + [0x3C, 0x91, 0x17, 0x16],
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0, 1, 2, 3],
        ] as [[UInt8]])
    func media(_ bytes: [UInt8]) {
        #expect(FileContent(bytes, suffix: "") == .playable)
    }
}

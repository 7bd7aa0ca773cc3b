import HostInterface
import Testing

@testable import HostDesktop

struct ArtworkTests {
    @Test func theOldestGoFirstUntilTheRestFits() {
        let files = [
            ArtworkEviction.File(name: "new", size: 40, used: 3), .init(name: "old", size: 40, used: 1),
            .init(name: "shown", size: 40, used: 0), .init(name: "middle", size: 40, used: 2),
        ]
        let eviction = ArtworkEviction(limit: 90)
        #expect(eviction.removable(files, keeping: ["shown"]) == ["old", "middle"])
        #expect(eviction.removable(files, keeping: []) == ["shown", "old"])
        #expect(ArtworkEviction(limit: 160).removable(files, keeping: []).isEmpty)
    }

    @Test func keysAreFileNamesAndDiffer() {
        let key = ArtworkKey(owner: "org.example", id: "../../etc/passwd", width: 512, height: 512)
        #expect(key.name.count == 32 && key.name.allSatisfy(\.isHexDigit))
        #expect(key == ArtworkKey(owner: "org.example", id: "../../etc/passwd", width: 512, height: 512))
        for other in [
            ArtworkKey(owner: "org.other", id: "../../etc/passwd", width: 512, height: 512),
            ArtworkKey(owner: "org.example", id: "other", width: 512, height: 512),
            ArtworkKey(owner: "org.example", id: "../../etc/passwd", width: 64, height: 512),
        ] {
            #expect(other.name != key.name)
        }
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], ImageFormat.jpeg), ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), .png),
            (Array("GIF89a".utf8), .gif), (Array("RIFF1234WEBPVP8 ".utf8), .webp),
            ([0, 0, 0, 0x1C] + Array("ftypavif".utf8), .avif), ([0, 0, 0, 0x18] + Array("ftypheic".utf8), .heic),
        ] as [([UInt8], ImageFormat)])
    func formatsAreToldByTheirBytes(_ bytes: [UInt8], _ format: ImageFormat) {
        #expect(ImageFormat(sniffing: bytes) == format)
    }

    @Test(arguments: ["", "<html>", "RIFF1234WAVEfmt ", "BM", "GIF8"])
    func whatIsNoPictureIsNone(_ text: String) { #expect(ImageFormat(sniffing: Array(text.utf8)) == nil) }
}

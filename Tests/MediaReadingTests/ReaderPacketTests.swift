import MediaReading
import Testing

struct ReaderPacketTests {
    private static let facts = MediaFacts(
        duration: 12.5, title: "Song", artist: "Band", album: "Album", genre: "Folk",
        picture: MediaFacts.Picture(contentType: "image/png", bytes: []), isSeekable: true)

    @Test(arguments: [
        ReaderPacket.picture([1, 2, 3]), .facts(facts), .facts(MediaFacts(isSeekable: false)),
        .samples([0, 1, -1, .min], generation: 7), .end(generation: .max), .failure(.noAudio, generation: 0),
        .failure(.unreadable("no route"), generation: 1), .failure(.untrusted("nas:443"), generation: 2),
    ])
    func aPacketIsReadAsItWasWritten(_ packet: ReaderPacket) {
        #expect(ReaderPacket(packet.bytes[...]) == packet)
    }

    @Test(arguments: [
        [], [2], [2, 0, 0, 0], [2, 0, 0, 0, 0], [2, 0, 0, 0, 0, 1, 2], [9, 0, 0, 0, 0], [3, 0, 0, 0, 0, 1],
        [1, 0, 0, 0, 0, 1], [4, 0, 0, 0, 0], [2, 0, 0, 0, 0] + [UInt8](repeating: 0, count: ReaderPacket.longest),
    ])
    func anythingElseIsRefused(_ bytes: [UInt8]) { #expect(ReaderPacket(bytes[...]) == nil) }

    @Test(arguments: ["-1", "0", "1e13", "1e300", "1e999"]) func aDurationThatIsNoneIsRefused(_ duration: String) {
        let content = Array(#"{"isSeekable":true,"duration":\#(duration)}"#.utf8)
        #expect(ReaderPacket(([1, 0, 0, 0, 0] + content)[...]) == nil)
    }

    @Test func longTextsAreCutAndThePictureTravelsApart() {
        let endless = MediaFacts(
            title: String(repeating: "x", count: 100_000),
            picture: MediaFacts.Picture(contentType: "image/jpeg", bytes: [1, 2]), isSeekable: false)
        let sent = endless.withoutBytes
        #expect(sent.title?.count == 500 && sent.picture?.bytes == [])
        #expect(ReaderPacket.facts(sent).bytes.count < ReaderPacket.longest)
    }

    @Test(arguments: [
        ReaderOrder.open(rate: 44_100), .seek(frame: 0, generation: 1), .seek(frame: .max, generation: .max),
    ])
    func anOrderIsReadAsItWasWritten(_ order: ReaderOrder) {
        #expect(order.bytes.count == ReaderOrder.length && ReaderOrder(order.bytes) == order)
    }

    @Test func otherOrdersAreRefused() {
        #expect(ReaderOrder([]) == nil)
        #expect(ReaderOrder([UInt8](repeating: 0, count: 13)) == nil, "a rate of 0")
        #expect(ReaderOrder([UInt8](repeating: 0xFF, count: 13)) == nil)
        #expect(ReaderOrder([1, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)) == nil, "a frame before the first")
        #expect(ReaderOrder(ReaderOrder.open(rate: 44_100).bytes + [0]) == nil)
    }

    @Test func aRequestIsReadAsItWasWritten() throws {
        let request = ReaderRequest(address: "https://nas.local/a.flac", acceptsAnyCertificate: true)
        #expect(ReaderRequest(try #require(request.bytes)) == request)
        #expect(ReaderRequest([0x7B]) == nil)
        #expect(ReaderRequest(address: "http://a/" + String(repeating: "x", count: 1 << 16)).bytes == nil)
    }
}

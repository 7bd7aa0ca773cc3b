import DBus
import Foundation
import HostInterface
import LinkProtocol
import Testing

/// Announcement requests of a process, which it may have written without the SDK.
struct DeclaredAnnouncementTests {
    private static let good = AnnounceRequest(
        name: "iTunes_Ctrl_1", type: "_dacp._tcp", port: 3689, txt: ["txtvers": Data("1".utf8)], interface: "eth0")

    private func read(_ request: AnnounceRequest) throws -> ExtensionMessage {
        try ExtensionMessage(.announce, [.uint32(7), DBusDictionaryEncoder().encode(request)])
    }

    private static func changed(_ change: (inout AnnounceRequest) -> Void) -> AnnounceRequest {
        var request = good
        change(&request)
        return request
    }

    @Test func isReadAsItIs() throws {
        #expect(try read(Self.good) == .announce(announcement: 7, request: Self.good))
        #expect(try ExtensionMessage(.cancelAnnouncement, [.uint32(7)]) == .cancelAnnouncement(announcement: 7))
        let most = Self.changed {
            $0.name = String(repeating: "n", count: 63)
            $0.port = 65_535
            $0.interface = nil
            $0.txt = ["k": Data(repeating: 0, count: 253)]
        }
        #expect(try read(most) == .announce(announcement: 7, request: most))
    }

    @Test(arguments: [
        changed { $0.name = "" }, changed { $0.name = String(repeating: "n", count: 64) },
        changed { $0.name = "a\u{1B}[31m" }, changed { $0.type = "" },
        changed { $0.type = String(repeating: "t", count: 256) }, changed { $0.port = 0 }, changed { $0.port = -1 },
        changed { $0.port = 65_536 }, changed { $0.txt = ["": Data()] }, changed { $0.txt = ["a=b": Data()] },
        changed { $0.txt = ["ä": Data()] }, changed { $0.txt = ["k": Data(repeating: 0, count: 254)] },
        changed {
            $0.txt = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", Data(repeating: 0, count: 70)) })
        },
        changed { $0.interface = "" }, changed { $0.interface = "sixteen-letters-" },
    ])
    func whatNoServiceCanBeIsRefused(_ request: AnnounceRequest) {
        #expect(throws: MalformedMessage.self) { try read(request) }
    }

    @Test func numbersAreNumbers() throws {
        let request = try DBusDictionaryEncoder().encode(Self.good)
        #expect(throws: MalformedMessage.self) { try ExtensionMessage(.announce, [.string("1"), request]) }
        #expect(throws: MalformedMessage.self) { try ExtensionMessage(.announce, [.uint32(1)]) }
        #expect(throws: MalformedMessage.self) { try ExtensionMessage(.cancelAnnouncement, [.int64(-1)]) }
    }
}

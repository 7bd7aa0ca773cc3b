import Foundation
import Testing

@testable import AirPlayExtension

@MainActor
struct ReceiverLevelsTests {
    private let kitchen = UUID()

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "levels-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func requested(_ level: Float) -> ReceiverLevel {
        var requested = ReceiverLevel()
        requested.set(level)
        return requested
    }

    @Test func theNextProcessSendsWhatWasRequested() throws {
        try withFolder { folder in
            ReceiverLevels(folder: folder).set(requested(0.25), of: kitchen)
            let next = ReceiverLevels(folder: folder)
            var level = next.level(of: kitchen)
            #expect(level.takeInitial(isReported: true) == 0.25)
            next.set(level, of: kitchen)
            #expect(next.level(of: kitchen).known == 0.25)
            #expect(ReceiverLevels(folder: folder).level(of: kitchen) == ReceiverLevel(), "sent once")
        }
    }

    @Test func aMuteOutlivesTheProcess() throws {
        try withFolder { folder in
            var muted = ReceiverLevel()
            muted.setMuted(true)
            ReceiverLevels(folder: folder).set(muted, of: kitchen)
            #expect(ReceiverLevels(folder: folder).level(of: kitchen) == muted)
        }
    }

    @Test func whatTheReceiverReportedIsNotStored() throws {
        try withFolder { folder in
            var heard = ReceiverLevel()
            heard.heard(0.5)
            ReceiverLevels(folder: folder).set(heard, of: kitchen)
            #expect(ReceiverLevels(folder: folder).level(of: kitchen) == ReceiverLevel())
        }
    }

    @Test(arguments: [#""known":7,"#, #""known":-1,"#, #""known":1e99,"#])
    func aLevelOutOfRangeIsIgnored(_ known: String) throws {
        try withFolder { folder in
            let text = #"{"\#(kitchen.uuidString)":{\#(known)"isMuted":false,"isAwaited":true}}"#
            try Data(text.utf8).write(to: folder.appending(path: "levels.json"))
            #expect(ReceiverLevels(folder: folder).level(of: kitchen) == ReceiverLevel())
        }
    }

    @Test func theyAreBoundedAndRequestedOnesStay() throws {
        try withFolder { folder in
            let levels = ReceiverLevels(folder: folder)
            levels.set(requested(0.25), of: kitchen)
            var heard = ReceiverLevel()
            heard.heard(0.5)
            for _ in 0..<1_000 { levels.set(heard, of: UUID()) }
            #expect(levels.level(of: kitchen) == requested(0.25))
            for _ in 0..<1_000 { levels.set(requested(0.75), of: UUID()) }
            let file = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: "levels.json")))
            #expect((file as? [String: Any])?.count == 256)
        }
    }
}

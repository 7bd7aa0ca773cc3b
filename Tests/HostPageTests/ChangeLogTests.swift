import Testing

@testable import HostPage

/// Tests of the changes for a browser that was disconnected for a moment.
@Suite struct ChangeLogTests {
    private func texts(_ entries: [ChangeLog.Entry]?) -> [String]? {
        entries?.map { entry in
            switch entry.event {
            case .change(let text): text
            case .offline: "offline"
            case .revoked: "revoked"
            }
        }
    }

    @Test func eachGetsWhatItMissedAndIsFor() {
        var log = ChangeLog()
        log.append(.change("a"))
        log.append(.change("b"), for: .role(.control))
        log.append(.change("c"), for: .browser("1"))
        log.append(.offline)
        #expect(texts(log.entries(after: 0, browser: "1", role: .look)) == ["a", "c", "offline"])
        #expect(texts(log.entries(after: 1, browser: "2", role: .administrate)) == ["b", "offline"])
        #expect(texts(log.entries(after: 4, browser: "1", role: .look)) == [])
    }

    @Test func whatIsGoneOrNeverWasNeedsASnapshot() {
        var log = ChangeLog(limits: .init(entries: 2, bytes: 100))
        for text in ["a", "b", "c"] { log.append(.change(text)) }
        #expect(log.entries(after: 0, browser: "", role: .look) == nil)
        #expect(texts(log.entries(after: 1, browser: "", role: .look)) == ["b", "c"])
        #expect(log.entries(after: 99, browser: "", role: .look) == nil, "of another run")
        log.reset()
        #expect(log.entries(after: 3, browser: "", role: .look) == nil)
        #expect(texts(log.entries(after: log.latest, browser: "", role: .look)) == [])
    }

    @Test func largeChangesAreNotKeptForEver() {
        var log = ChangeLog(limits: .init(entries: 100, bytes: 10))
        log.append(.change("12345678"))
        log.append(.change("123456789012345"))
        #expect(log.entries(after: 0, browser: "", role: .look) == nil)
        #expect(log.latest == 2)
    }

    @Test(arguments: ["", "7", "a-", "a-x", "a-1-2", "-1", "a--1"])
    func otherIdentifiersAreNone(text: String) { #expect(EventID(text) == nil) }

    @Test func identifiersAreReadAsWritten() {
        let id = EventID(epoch: "k3", number: 42)
        #expect(id.text == "k3-42" && EventID("k3-42") == id)
    }
}

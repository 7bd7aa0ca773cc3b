import Testing

@testable import HostCore

struct ForegroundFactsTests {
    @Test func inATerminalItIsWhoIsTypedTo() {
        #expect(ForegroundFacts(terminal: (10, 10), hasDisplay: false, unit: nil).isForeground)
        #expect(!ForegroundFacts(terminal: (10, 11), hasDisplay: true, unit: nil).isForeground)
    }

    @Test func withoutOneItIsWhoCanHaveAWindow() {
        #expect(ForegroundFacts(terminal: nil, hasDisplay: true, unit: nil).isForeground)
        #expect(ForegroundFacts(terminal: nil, hasDisplay: true, unit: "app-org.gnome.Music-1.scope").isForeground)
        #expect(ForegroundFacts(terminal: nil, hasDisplay: true, unit: "app-music@1.service").isForeground)
        #expect(!ForegroundFacts(terminal: nil, hasDisplay: true, unit: "music.service").isForeground)
        #expect(!ForegroundFacts(terminal: nil, hasDisplay: false, unit: nil).isForeground)
    }
}
